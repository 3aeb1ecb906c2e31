//! Opens the window in which a copy is photographed on a recording in place of a camera, to look at it where none is
//! plugged in: `sitting FOLDER RECORDING`, a folder with `owner.json`, and a video or a folder of pictures (one a second).

use std::{error::Error, path::Path};

use sightline::{
    capture::{Source, folder::Folder, video::Video},
    copy::{self, Owner},
    overlay,
    session::Sitting,
    vision::{Enroller, models_folder},
};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [folder, recording] = &arguments[..] else {
        return Err("usage: sitting FOLDER RECORDING".into());
    };
    let (folder, recording) = (Path::new(folder), Path::new(recording));
    let (owner, _) = Owner::parse(&copy::read_text(&folder.join("owner.json"))?)?;
    let sitting = Sitting::begin(&owner, &copy::photographs_of(folder))?;
    let enroller = Enroller::open(&models_folder(), 2)?;
    let source: Box<dyn Source> = match recording.is_dir() {
        true => Box::new(Folder::open(recording, 1.0)?),
        false => Box::new(Video::open(recording)?),
    };
    overlay::photograph(sitting, enroller, source).map_err(|none| none.why.into())
}
