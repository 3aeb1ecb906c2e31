//! A sitting at which a person photographs a copy: what is still wanted, one after the other, each kept at once.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{How, Wanted, asked_for, wanted};
use crate::{
    capture::Picture,
    copy::{self, Owner, Photographs, Shape, WriteError},
    geometry::Quad,
    vision::{Enrolled, Enroller, VisionError},
};

/// What is photographed, and how far one is.
#[derive(Debug)]
pub struct Sitting {
    folder: PathBuf,
    wanted: Vec<Wanted>,
    /// The file of each that was asked for so far; `None` for what was skipped.
    past: Vec<Option<PathBuf>>,
}

impl Sitting {
    /// Begins with all that the folder, which is made where it is not there, does not hold.
    ///
    /// # Errors
    /// The folder cannot be made or read.
    pub fn begin(owner: &Owner, folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let there = Photographs::list(folder)?.serving(&asked_for(owner));
        let wanted = wanted(owner).into_iter();
        Ok(Self {
            folder: folder.to_owned(),
            wanted: wanted.filter(|w| there.get(&w.name).is_none()).collect(),
            past: Vec::new(),
        })
    }

    /// How many photographs are taken at it.
    pub fn of(&self) -> usize {
        self.wanted.len()
    }

    /// How many of them were asked for and are done with.
    pub fn past(&self) -> usize {
        self.past.len()
    }

    /// How many of them were taken.
    pub fn taken(&self) -> usize {
        self.past.iter().flatten().count()
    }

    /// What is wanted now; `None` where nothing is left.
    pub fn now(&self) -> Option<&Wanted> {
        self.wanted.get(self.past.len())
    }

    /// Keeps a photograph of what is wanted now, and goes on to the next.
    ///
    /// # Errors
    /// It cannot be written: then it is still wanted.
    pub fn keep(&mut self, picture: &Picture) -> Result<(), KeepError> {
        if let Some(now) = self.now() {
            let file = self.folder.join(format!("{}.png", now.name));
            copy::write(&file, png(picture)?)?;
            // corners that somebody gave were those of another photograph
            let corners = copy::corners_beside(&file);
            match fs::remove_file(&corners) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => {
                    return Err(WriteError::new(&corners, &e).into());
                }
                _ => {}
            }
            self.past.push(Some(file));
        }
        Ok(())
    }

    /// Goes on without a photograph of what is wanted now.
    pub fn skip(&mut self) {
        if self.now().is_some() {
            self.past.push(None);
        }
    }

    /// Goes back to what was wanted before, and takes its photograph away if there is one. Says whether there was anything
    /// to go back to.
    ///
    /// # Errors
    /// The photograph cannot be taken away: then it stays, and nothing else happens.
    pub fn back(&mut self) -> io::Result<bool> {
        if let Some(Some(file)) = self.past.last() {
            match fs::remove_file(file) {
                // somebody else took it away
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                done => done?,
            }
        }
        Ok(self.past.pop().is_some())
    }
}

/// Why a photograph was not kept; one sentence.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("the photograph cannot be put into a file: {0}")]
    Picture(#[from] image::ImageError),
}

fn png(picture: &Picture) -> Result<Vec<u8>, image::ImageError> {
    use image::ImageEncoder;
    let mut out = Vec::new();
    image::codecs::png::PngEncoder::new(&mut out).write_image(
        picture.rgb(),
        picture.width(),
        picture.height(),
        image::ExtendedColorType::Rgb8,
    )?;
    Ok(out)
}

impl How {
    /// What a photograph shows, looked at so; corners where a person gave them.
    ///
    /// # Errors
    /// Only where a library fails.
    pub fn look(
        self,
        enroller: &mut Enroller,
        picture: &Picture,
        corners: Option<Quad>,
    ) -> Result<Option<Enrolled>, VisionError> {
        match self {
            Self::Face(Shape::Octahedron) => enroller.octahedron(picture, corners),
            Self::Face(Shape::D6) => enroller.face(picture, corners),
            Self::Face(shape) => enroller.solid(picture, shape, corners),
            Self::Surface(measured) => enroller.surface(picture, &measured, corners),
            Self::Piece(outline) => enroller.piece(picture, None, outline, corners),
        }
    }

    /// What is amiss with a photograph for which somebody sits, by what was found in it.
    pub fn amiss(self, found: Option<&Enrolled>) -> Option<String> {
        match (found, self) {
            (None, _) => Some("what it should show is not found in the picture".to_owned()),
            (Some(e), _) => e.flaws.first().map(|f| format!("it {f}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_taken_back_and_the_next_time_goes_on_from_there() {
        let text = r#"{"die_mm": 16, "faces": {"energy": ["1", "2"]}}"#;
        let (owner, _) = Owner::parse(text).expect("an owner");
        let dir = tempfile::tempdir().expect("a folder");
        let folder = dir.path().join("enrol");
        let picture = Picture::from_rgb(16, 16, vec![90; 16 * 16 * 3]).expect("a picture");
        let mut sitting = Sitting::begin(&owner, &folder).expect("begun");
        let name = |s: &Sitting| s.now().map(|w| w.name.clone());
        assert_eq!((sitting.of(), sitting.past()), (4, 0));
        assert!(!sitting.back().expect("nothing before"));
        let given = folder.join("die_energy_1_1.corners.json");
        fs::write(&given, "[[1, 1], [9, 1], [9, 9], [1, 9]]").expect("written");
        sitting.keep(&picture).expect("kept");
        assert!(!given.exists(), "they were another photograph's");
        sitting.skip();
        sitting.keep(&picture).expect("kept");
        assert_eq!((sitting.past(), sitting.taken()), (3, 2));
        assert_eq!(name(&sitting).as_deref(), Some("die_energy_2_2"));
        let file = folder.join("die_energy_2_1.png");
        assert!(file.exists());
        assert!(sitting.back().expect("gone back"));
        assert!(!file.exists());
        assert_eq!(name(&sitting).as_deref(), Some("die_energy_2_1"));
        // what was skipped is wanted again, and so is a file that somebody else took away
        assert!(sitting.back().expect("gone back"));
        fs::remove_file(folder.join("die_energy_1_1.png")).expect("taken away");
        assert!(sitting.back().expect("gone back"));
        assert_eq!(name(&sitting).as_deref(), Some("die_energy_1_1"));
        sitting.keep(&picture).expect("kept");
        let mut again = Sitting::begin(&owner, &folder).expect("begun");
        assert_eq!(again.of(), 3);
        assert_eq!(name(&again).as_deref(), Some("die_energy_1_2"));
        (0..5).for_each(|_| again.skip());
        assert_eq!((again.past(), again.now()), (3, None));
        again.keep(&picture).expect("nothing is wanted");
        assert_eq!(again.taken(), 0);
        // a photograph that cannot be written is still wanted
        drop(dir);
        assert!(sitting.keep(&picture).is_err());
        assert_eq!(name(&sitting).as_deref(), Some("die_energy_1_2"));
    }
}
