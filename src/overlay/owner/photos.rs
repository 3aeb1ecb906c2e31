//! Photographs of displays and the board, laid flat beside the window's thread.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, mpsc},
};

use eframe::egui;

use crate::{
    capture::{Picture, still},
    copy::{corners_beside, read_corners},
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

/// A card that a photograph shows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Card {
    /// What the photograph is asked for as.
    pub name: String,
    /// None where it is not there.
    pub file: Option<PathBuf>,
    pub size_mm: [f64; 2],
    pub thickness_mm: f64,
}

/// One photograph to be laid flat.
struct Ask {
    card: Card,
    /// What a person has just dragged them to, before those that are kept.
    corners: Option<Quad>,
}

pub(super) struct Photos {
    ask: mpsc::Sender<Ask>,
    have: Arc<Mutex<BTreeMap<String, Photo>>>,
}

impl Photos {
    /// Starts the thread that lays photographs flat.
    pub fn start(models: PathBuf, ctx: egui::Context) -> std::io::Result<Self> {
        let (ask, asked) = mpsc::channel::<Ask>();
        let have: Arc<Mutex<BTreeMap<String, Photo>>> = Arc::default();
        let out = Arc::clone(&have);
        std::thread::Builder::new()
            .name("flattening".to_owned())
            .spawn(move || {
                let mut enroller = None;
                while let Ok(first) = asked.recv() {
                    // a number that is dragged asks at every step: the last word on each photograph counts
                    let mut newest = BTreeMap::from([(first.card.name.clone(), first)]);
                    newest.extend(asked.try_iter().map(|ask| (ask.card.name.clone(), ask)));
                    for one in newest.into_values() {
                        let photo =
                            laid(&models, &mut enroller, &one).unwrap_or_else(Photo::Failed);
                        let mut have = out.lock().unwrap_or_else(PoisonError::into_inner);
                        have.insert(one.card.name, photo);
                        drop(have);
                        ctx.request_repaint();
                    }
                }
            })?;
        Ok(Self { ask, have })
    }

    /// What is known of a photograph; it is asked for where nothing is.
    pub fn of(&self, card: &Card) -> Photo {
        let mut have = self.have.lock().unwrap_or_else(PoisonError::into_inner);
        match have.get(&card.name) {
            // it may have been taken since
            Some(Photo::Absent(_)) if card.file.is_some() => {}
            Some(photo) => return photo.clone(),
            None => {}
        }
        have.insert(card.name.clone(), Photo::Waiting);
        drop(have);
        self.again(card, None);
        Photo::Waiting
    }

    /// Lays it flat anew: its card has another size, or other corners.
    pub fn again(&self, card: &Card, corners: Option<Quad>) {
        // what was dragged stays where it was dropped until it is laid flat anew
        if let Some(given) = corners
            && let Some(Photo::Shown { corners, .. }) = self
                .have
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get_mut(&card.name)
        {
            *corners = given;
        }
        // without its thread everything stays as it is
        let card = card.clone();
        let _ = self.ask.send(Ask { card, corners });
    }
}

fn laid(models: &Path, enroller: &mut Option<Enroller>, one: &Ask) -> Result<Photo, String> {
    let card = &one.card;
    let Some(path) = &card.file else {
        return Ok(Photo::Absent(card.name.clone()));
    };
    let (picture, _) = still::load(path).map_err(|e| e.to_string())?;
    let given = match one.corners {
        Some(corners) => Some(corners),
        None => read_corners(&corners_beside(path))?,
    };
    let enroller = match enroller {
        Some(enroller) => enroller,
        None => enroller.insert(Enroller::open(models, 2).map_err(|e| e.to_string())?),
    };
    let found = enroller.surface(&picture, card.size_mm, card.thickness_mm, given);
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
