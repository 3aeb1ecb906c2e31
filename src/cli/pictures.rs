//! Where the pictures of a copy come from: photographs, or the promise of some.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Cursor,
};

use crate::{
    copy::{Owner, Photographs},
    session::{How, wanted},
};

/// Photographs from which the pictures of a copy are taken. Those that are taken lie in the copy by the names that are returned.
pub(super) trait Pictures {
    /// The photographs that nobody has asked for yet.
    fn names(&self) -> Vec<String>;

    fn has(&self, name: &str) -> bool;

    /// Notes that there is none of this name.
    fn lack(&mut self, name: &str);

    /// Takes what the photograph `name` shows into the copy as `to`; `None` where there is none of it.
    fn take(&mut self, name: &str, to: &str, how: How) -> anyhow::Result<Option<String>>;

    /// The photographs of one face, made to agree with each other.
    fn faces(&mut self, numbered: &[String], to: &str, how: How) -> anyhow::Result<Vec<String>>;

    /// The photographs of one miniature: name, file in the copy, and where its nose points. Returns headings and files.
    fn views(&mut self, named: &[(String, String, f64)]) -> anyhow::Result<Vec<(f64, String)>>;
}

/// All photographs that are asked for, as if somebody had taken them: a picture of one pixel each.
pub(super) struct Promised {
    names: BTreeSet<String>,
    pixel: Vec<u8>,
    /// What the copy's folder will hold, by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Promised {
    /// What `owner` asks for, and what is there without a word from it.
    pub fn of(owner: &Owner, there: &Photographs) -> anyhow::Result<Self> {
        let mut pixel = Cursor::new(Vec::new());
        image::DynamicImage::new_rgb8(1, 1).write_to(&mut pixel, image::ImageFormat::Png)?;
        let wanted = wanted(owner).into_iter().map(|w| w.name);
        Ok(Self {
            names: wanted.chain(there.names().cloned()).collect(),
            pixel: pixel.into_inner(),
            files: BTreeMap::new(),
        })
    }

    fn promise(&mut self, name: &str, to: &str) -> Option<String> {
        let file = format!("{to}.png");
        self.names.remove(name).then(|| {
            self.files.insert(file.clone(), self.pixel.clone());
            file
        })
    }
}

impl Pictures for Promised {
    fn names(&self) -> Vec<String> {
        self.names.iter().cloned().collect()
    }

    fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    fn lack(&mut self, _: &str) {}

    fn take(&mut self, name: &str, to: &str, _: How) -> anyhow::Result<Option<String>> {
        Ok(self.promise(name, to))
    }

    fn faces(&mut self, numbered: &[String], to: &str, _: How) -> anyhow::Result<Vec<String>> {
        let taken = numbered.iter().zip(1..);
        Ok(taken
            .filter_map(|(name, n)| self.promise(name, &format!("{to}-{n}")))
            .collect())
    }

    fn views(&mut self, named: &[(String, String, f64)]) -> anyhow::Result<Vec<(f64, String)>> {
        let taken = named.iter();
        Ok(taken
            .filter_map(|(name, to, heading)| Some((*heading, self.promise(name, to)?)))
            .collect())
    }
}
