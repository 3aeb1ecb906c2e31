//! Photographs of displays and the board, laid flat beside the window's thread.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, mpsc},
};

use eframe::egui;

use crate::{
    capture::{Picture, still},
    copy::read_corners,
    geometry::Quad,
    vision::Enroller,
};

/// What became of a photograph.
#[derive(Clone)]
pub(super) enum Photo {
    Waiting,
    /// Its name: it was not there when it was last looked for.
    Absent(String),
    /// A sentence: why nothing is shown.
    Failed(String),
    Shown {
        picture: Picture,
        /// Where the card lies in it, as it was found or given.
        corners: Quad,
        /// The card alone, flat; none where it was not found.
        flat: Option<Picture>,
    },
}

/// One photograph to be laid flat.
struct Ask {
    name: String,
    size_mm: [f64; 2],
    thickness_mm: f64,
    /// What a person has just dragged them to, before those that are kept.
    corners: Option<Quad>,
}

pub(super) struct Photos {
    folder: PathBuf,
    ask: mpsc::Sender<Ask>,
    have: Arc<Mutex<BTreeMap<String, Photo>>>,
}

impl Photos {
    /// Starts the thread that lays photographs of `folder` flat.
    pub fn start(folder: PathBuf, models: PathBuf, ctx: egui::Context) -> std::io::Result<Self> {
        let (ask, asked) = mpsc::channel::<Ask>();
        let have: Arc<Mutex<BTreeMap<String, Photo>>> = Arc::default();
        let out = Arc::clone(&have);
        let watched = folder.clone();
        std::thread::Builder::new()
            .name("flattening".to_owned())
            .spawn(move || {
                let mut enroller = None;
                while let Ok(first) = asked.recv() {
                    // a number that is dragged asks at every step: the last word on each photograph counts
                    let mut newest = BTreeMap::from([(first.name.clone(), first)]);
                    newest.extend(asked.try_iter().map(|ask| (ask.name.clone(), ask)));
                    for one in newest.into_values() {
                        let photo = laid(&folder, &models, &mut enroller, &one)
                            .unwrap_or_else(Photo::Failed);
                        let mut have = out.lock().unwrap_or_else(PoisonError::into_inner);
                        have.insert(one.name, photo);
                        drop(have);
                        ctx.request_repaint();
                    }
                }
            })?;
        Ok(Self {
            folder: watched,
            ask,
            have,
        })
    }

    /// What is known of a photograph; it is asked for where nothing is.
    pub fn of(&self, name: &str, size_mm: [f64; 2], thickness_mm: f64) -> Photo {
        let mut have = self.have.lock().unwrap_or_else(PoisonError::into_inner);
        match have.get(name) {
            // it may have been taken since
            Some(Photo::Absent(_)) if file(&self.folder, name).is_some() => {}
            Some(photo) => return photo.clone(),
            None => {}
        }
        have.insert(name.to_owned(), Photo::Waiting);
        drop(have);
        self.again(name, size_mm, thickness_mm, None);
        Photo::Waiting
    }

    /// Lays it flat anew: its card has another size, or other corners.
    pub fn again(&self, name: &str, size_mm: [f64; 2], thickness_mm: f64, corners: Option<Quad>) {
        // what was dragged stays where it was dropped until it is laid flat anew
        if let Some(given) = corners
            && let Some(Photo::Shown { corners, .. }) = self
                .have
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get_mut(name)
        {
            *corners = given;
        }
        // without its thread everything stays as it is
        let _ = self.ask.send(Ask {
            name: name.to_owned(),
            size_mm,
            thickness_mm,
            corners,
        });
    }
}

/// The photograph's file, whatever its ending.
pub(super) fn file(folder: &Path, name: &str) -> Option<PathBuf> {
    let enrol = folder.join("enrol");
    let endings = ["jpg", "jpeg", "png", "JPG", "PNG"].into_iter();
    endings
        .map(|e| enrol.join(format!("{name}.{e}")))
        .find(|p| p.is_file())
}

fn laid(
    folder: &Path,
    models: &Path,
    enroller: &mut Option<Enroller>,
    one: &Ask,
) -> Result<Photo, String> {
    let Some(path) = file(folder, &one.name) else {
        return Ok(Photo::Absent(one.name.clone()));
    };
    let (picture, _) = still::load(&path).map_err(|e| e.to_string())?;
    let given = match one.corners {
        Some(corners) => Some(corners),
        None => read_corners(&corners_file(folder, &one.name))?,
    };
    let enroller = match enroller {
        Some(enroller) => enroller,
        None => enroller.insert(Enroller::open(models, 2).map_err(|e| e.to_string())?),
    };
    let found = enroller.surface(&picture, one.size_mm, one.thickness_mm, given);
    let found = found.map_err(|e| e.to_string())?;
    let (w, h) = (f64::from(picture.width()), f64::from(picture.height()));
    let inset = || {
        Quad::from_pairs([
            [0.1 * w, 0.1 * h],
            [0.9 * w, 0.1 * h],
            [0.9 * w, 0.9 * h],
            [0.1 * w, 0.9 * h],
        ])
    };
    let flat = match &found {
        Some(found) => {
            let flat = image::load_from_memory(&found.png)
                .map_err(|e| e.to_string())?
                .into_rgb8();
            let (w, h) = flat.dimensions();
            Picture::from_rgb(w, h, flat.into_raw())
        }
        None => None,
    };
    Ok(Photo::Shown {
        picture,
        corners: found.map_or_else(inset, |f| f.corners),
        flat,
    })
}

/// Where a person's corners of a photograph are kept.
pub(super) fn corners_file(folder: &Path, name: &str) -> PathBuf {
    folder.join("enrol").join(format!("{name}.corners.json"))
}
