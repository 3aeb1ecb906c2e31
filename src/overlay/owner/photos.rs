//! Photographs of a copy's things, each looked for in its own beside the window's thread: displays and the board laid flat, all else cut out.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, mpsc},
};

use eframe::egui;

use crate::{
    capture::{Picture, still},
    copy::{corners_beside, lie_beyond, lie_elsewhere, read_corners},
    geometry::Quad,
    session::How,
    vision::{Enroller, Flaw},
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
        /// Where the thing lies in it, as it was found or given.
        corners: Quad,
        /// The thing alone, as it is kept; none where it was not found.
        flat: Option<Picture>,
        /// What is amiss with it, in words.
        amiss: Vec<String>,
        /// A person gave its corners.
        given: bool,
    },
}

/// What a photograph shows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Subject {
    /// What the photograph is asked for as.
    pub name: String,
    /// None where it is not there.
    pub file: Option<PathBuf>,
    pub how: How,
}

/// One photograph to be looked at.
struct Ask {
    subject: Subject,
    /// What a person has just dragged them to, before those that are kept.
    corners: Option<Quad>,
}

pub(super) struct Photos {
    ask: mpsc::Sender<Ask>,
    have: Arc<Mutex<BTreeMap<String, Photo>>>,
}

impl Photos {
    /// Starts the thread that looks at photographs.
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
                    let mut newest = BTreeMap::from([(first.subject.name.clone(), first)]);
                    newest.extend(asked.try_iter().map(|ask| (ask.subject.name.clone(), ask)));
                    for one in newest.into_values() {
                        let photo =
                            laid(&models, &mut enroller, &one).unwrap_or_else(Photo::Failed);
                        let mut have = out.lock().unwrap_or_else(PoisonError::into_inner);
                        have.insert(one.subject.name, photo);
                        drop(have);
                        ctx.request_repaint();
                    }
                }
            })?;
        Ok(Self { ask, have })
    }

    /// What is known of a photograph; it is asked for where nothing is.
    pub fn of(&self, subject: &Subject) -> Photo {
        let mut have = self.have.lock().unwrap_or_else(PoisonError::into_inner);
        match have.get(&subject.name) {
            // it may have been taken since
            Some(Photo::Absent(_)) if subject.file.is_some() => {}
            Some(photo) => return photo.clone(),
            None => {}
        }
        have.insert(subject.name.clone(), Photo::Waiting);
        drop(have);
        self.again(subject, None);
        Photo::Waiting
    }

    /// Looks at it anew: its card has another size, or other corners.
    pub fn again(&self, subject: &Subject, corners: Option<Quad>) {
        // what was dragged stays where it was dropped until it is looked at anew
        if let Some(given) = corners
            && let Some(Photo::Shown { corners, .. }) = self
                .have
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get_mut(&subject.name)
        {
            *corners = given;
        }
        // without its thread everything stays as it is
        let subject = subject.clone();
        let _ = self.ask.send(Ask { subject, corners });
    }
}

fn laid(models: &Path, enroller: &mut Option<Enroller>, one: &Ask) -> Result<Photo, String> {
    let subject = &one.subject;
    let Some(path) = &subject.file else {
        return Ok(Photo::Absent(subject.name.clone()));
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
    let size = [picture.width(), picture.height()];
    let beyond = given.as_ref().is_some_and(|q| lie_beyond(q, size));
    let given = given.filter(|_| !beyond);
    let found = subject.how.look(enroller, &picture, given);
    let found = found.map_err(|e| e.to_string())?;
    let mut amiss = Vec::new();
    if beyond {
        amiss.push(
            "The corners beside it lie outside it: they are another photograph's. Drag these, or leave them."
                .to_owned(),
        );
    }
    if let Some(given) = given {
        let by_itself = subject.how.look(enroller, &picture, None);
        if by_itself.is_ok_and(|f| f.is_some_and(|f| lie_elsewhere(&given, &f.corners))) {
            amiss.push(format!("It {}.", Flaw::Given));
        }
    }
    let (w, h) = (f64::from(picture.width()), f64::from(picture.height()));
    // displays fill a photograph, dice a third of it
    let [x, y] = match subject.how {
        How::Surface(..) => [0.1 * w, 0.1 * h],
        _ => {
            let half = 0.2 * w.min(h);
            [0.5 * w - half, 0.5 * h - half]
        }
    };
    let inset = || Quad::from_pairs([[x, y], [w - x, y], [w - x, h - y], [x, h - y]]);
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
    let flaws = found.iter().flat_map(|found| &found.flaws);
    amiss.extend(flaws.map(|flaw| format!("It {flaw}.")));
    Ok(Photo::Shown {
        picture,
        amiss,
        given: given.is_some() || beyond,
        corners: found.map_or_else(inset, |f| f.corners),
        flat,
    })
}
