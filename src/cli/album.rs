//! The photographs of a copy: each is looked at for what its name says, and what it shows is taken from it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use super::{UserError, pictures::Pictures};
use crate::{
    capture::{Picture, still},
    copy::{self, Photographs, Shape, lie_beyond, lie_elsewhere},
    geometry::Quad,
    session::How,
    vision::{self, Enrolled, Enroller},
};

/// A photograph's shorter side below which nothing is looked for in it.
const LEAST_SIDE: u32 = 32;

/// The photographs, with what has been taken from them.
pub(super) struct Album {
    pub enroller: Enroller,
    /// The photographs that nobody has looked at yet.
    pub names: Photographs,
    /// What the copy's folder will hold, by name.
    pub files: BTreeMap<String, Vec<u8>>,
    pub missing: Vec<String>,
    /// Photographs that are used although they may show another thing: no other shows more.
    pub doubtful: Vec<String>,
    /// Photographs that are used although they are dark, washed out, blurred or small.
    pub poor: Vec<String>,
    /// Photographs in which a person said where the thing is: these are used, whatever others say.
    given: BTreeSet<String>,
}

impl Album {
    /// Those that lie beside an `owner.json`, by the names that it `asked` for them by.
    pub fn open(
        from: &Path,
        asked: &BTreeSet<String>,
        models: &Path,
        threads: usize,
    ) -> anyhow::Result<Self> {
        let folder = copy::photographs_of(from);
        let names = Photographs::list(&folder).map_err(|e| {
            UserError(format!(
                "{}: {}; the photographs lie in the folder enrol beside owner.json",
                folder.display(),
                copy::in_words(&e)
            ))
        })?;
        Ok(Self {
            enroller: Enroller::open(models, threads)?,
            names: names.serving(asked),
            files: BTreeMap::new(),
            missing: Vec::new(),
            doubtful: Vec::new(),
            poor: Vec::new(),
            given: BTreeSet::new(),
        })
    }

    /// What `take` makes of the photograph `name`; what is amiss is said, and the rest goes on.
    fn look(
        &mut self,
        name: &str,
        take: impl Fn(
            &mut Enroller,
            &Picture,
            Option<Quad>,
        ) -> Result<Option<Enrolled>, vision::VisionError>,
    ) -> anyhow::Result<Option<(Picture, Enrolled)>> {
        let Some(path) = self.names.take(name) else {
            self.missing.push(name.to_owned());
            return Ok(None);
        };
        let picture = match still::load(&path) {
            Ok((picture, _)) => picture,
            Err(error) => {
                complain!("sightline: {error}");
                self.missing.push(name.to_owned());
                return Ok(None);
            }
        };
        let given = match copy::read_corners(&copy::corners_beside(&path)) {
            Ok(given) => given,
            Err(error) => {
                complain!("sightline: {error}");
                self.missing.push(name.to_owned());
                return Ok(None);
            }
        };
        if given.is_some() {
            self.given.insert(name.to_owned());
        }
        let (w, h) = (picture.width(), picture.height());
        let enrolled = if given.as_ref().is_some_and(|q| lie_beyond(q, [w, h])) {
            Err(format!(
                "is {w}x{h}, and the corners beside it lie outside it: they are another photograph's; mend or remove {}",
                copy::corners_beside(&path)
                    .file_name()
                    .unwrap_or_default()
                    .display()
            ))
        } else if w.min(h) < LEAST_SIDE {
            Err(format!(
                "is {w}x{h}, too small to show anything: take it anew"
            ))
        } else {
            match self.taken(&picture, given, &take) {
                Ok(enrolled) => enrolled.ok_or_else(|| format!(
                    "what it should show was not found in it: take it anew on a ground of another colour, or give its corners (sightline owner, Photographs; {} beside it)",
                    copy::corners_beside(&path).file_name().unwrap_or_default().display()
                )),
                // what a library makes of one photograph spoils no other
                Err(e) if !e.is_the_users() => Err(e.to_string()),
                Err(e) => return Err(e.into()),
            }
        };
        let enrolled = match enrolled {
            Ok(enrolled) => enrolled,
            Err(why) => {
                complain!("sightline: {}: {why}", path.display());
                self.missing.push(name.to_owned());
                return Ok(None);
            }
        };
        Ok(Some((picture, enrolled)))
    }

    /// What `take` makes of a photograph; corners that were given are held against what is found without them.
    fn taken(
        &mut self,
        picture: &Picture,
        given: Option<Quad>,
        take: impl Fn(
            &mut Enroller,
            &Picture,
            Option<Quad>,
        ) -> Result<Option<Enrolled>, vision::VisionError>,
    ) -> Result<Option<Enrolled>, vision::VisionError> {
        let mut enrolled = take(&mut self.enroller, picture, given)?;
        if let (Some(enrolled), Some(given)) = (&mut enrolled, given)
            && let Some(found) = take(&mut self.enroller, picture, None)?
            && lie_elsewhere(&given, &found.corners)
        {
            enrolled.flaws.push(vision::Flaw::Given);
        }
        Ok(enrolled)
    }

    /// Puts what was taken from the photograph `name` by for the copy; returns its file there.
    fn keep(
        &mut self,
        name: &str,
        to: &str,
        picture: &Picture,
        enrolled: &Enrolled,
    ) -> anyhow::Result<String> {
        for flaw in &enrolled.flaws {
            complain!("sightline: {name}: {flaw}");
        }
        if enrolled.flaws.iter().any(|f| f.is_of_another_thing()) {
            self.doubtful.push(name.to_owned());
        } else if enrolled.flaws.iter().any(|f| f.is_of_the_camera()) {
            self.poor.push(name.to_owned());
        }
        let file = format!("{to}.png");
        self.files.insert(
            format!("check/{name}.png"),
            vision::shown(picture, &enrolled.drawn())?,
        );
        self.files.insert(file.clone(), enrolled.png.clone());
        Ok(file)
    }

    /// Which photographs of one thing are to be used: one that two others speak against is left out, and said, unless a person
    /// gave its corners.
    fn agreeing<'a>(
        &mut self,
        taken: &[(usize, Picture, Enrolled)],
        name: impl Fn(usize) -> &'a String,
    ) -> anyhow::Result<Vec<usize>> {
        let odd = |e: &Enrolled| e.flaws.iter().any(|f| f.is_by_comparison());
        let agree = taken.iter().filter(|(.., e)| !odd(e)).count();
        let mut used = Vec::new();
        for (i, (n, picture, enrolled)) in taken.iter().enumerate() {
            let name = name(*n);
            if agree < 2 || !odd(enrolled) || self.given.contains(name) {
                used.push(i);
                continue;
            }
            for flaw in &enrolled.flaws {
                complain!("sightline: {name}: {flaw}; it is left out");
            }
            let shown = vision::shown(picture, &enrolled.drawn())?;
            self.files.insert(format!("check/{name}.png"), shown);
        }
        Ok(used)
    }
}

impl Pictures for Album {
    fn names(&self) -> Vec<String> {
        self.names.names().cloned().collect()
    }

    fn has(&self, name: &str) -> bool {
        self.names.get(name).is_some()
    }

    fn lack(&mut self, name: &str) {
        self.missing.push(name.to_owned());
    }

    fn take(&mut self, name: &str, to: &str, how: How) -> anyhow::Result<Option<String>> {
        let looked = self.look(name, |e, p, corners| how.look(e, p, corners))?;
        match looked {
            Some((picture, enrolled)) => self.keep(name, to, &picture, &enrolled).map(Some),
            None => Ok(None),
        }
    }

    fn faces(&mut self, numbered: &[String], to: &str, how: How) -> anyhow::Result<Vec<String>> {
        let mut taken: Vec<(usize, Picture, Enrolled)> = Vec::new();
        for (n, name) in numbered.iter().enumerate() {
            let looked = self.look(name, |e, p, corners| how.look(e, p, corners))?;
            taken.extend(looked.map(|(picture, enrolled)| (n, picture, enrolled)));
        }
        let mut group: Vec<(&Picture, &mut Enrolled)> =
            taken.iter_mut().map(|(_, p, e)| (&*p, e)).collect();
        match how {
            How::Face(Shape::Octahedron) => self.enroller.agree_in_thirds(&mut group)?,
            // each shows other sides, all of them upright
            How::Face(Shape::D4) => {}
            _ => self.enroller.agree(&mut group)?,
        }
        let mut kept = Vec::new();
        for i in self.agreeing(&taken, |n| &numbered[n])? {
            let (n, picture, enrolled) = &taken[i];
            let to = format!("{to}-{}", n + 1);
            kept.push(self.keep(&numbered[*n], &to, picture, enrolled)?);
        }
        Ok(kept)
    }

    fn views(&mut self, named: &[(String, String, f64)]) -> anyhow::Result<Vec<(f64, String)>> {
        let mut taken: Vec<(usize, Picture, Enrolled)> = Vec::new();
        for (n, (name, _, heading)) in named.iter().enumerate() {
            let looked = self.look(name, |e, p, corners| {
                e.piece(p, Some(*heading), None, corners)
            })?;
            taken.extend(looked.map(|(picture, enrolled)| (n, picture, enrolled)));
        }
        let mut views: Vec<(f64, &mut Enrolled)> = Vec::new();
        for (n, _, enrolled) in &mut taken {
            views.push((named[*n].2, enrolled));
        }
        self.enroller.headings(&mut views)?;
        let mut kept = Vec::new();
        for i in self.agreeing(&taken, |n| &named[n].0)? {
            let (n, picture, enrolled) = &taken[i];
            let (name, to, heading) = &named[*n];
            kept.push((*heading, self.keep(name, to, picture, enrolled)?));
        }
        Ok(kept)
    }
}
