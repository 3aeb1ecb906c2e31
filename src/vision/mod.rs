//! From a frame to sightings: find dice, rectify their top faces, read them against a copy.
//!
//! The detector knows shapes, the reader turns a print into a vector; which kind and face it is
//! comes from the copy's enrolment alone.

mod sighting;

pub use sighting::{Cube, Form, Next, PieceSighting, Reading, Sighting, Standing};

#[cfg(feature = "vision")]
mod alone;
#[cfg(feature = "vision")]
mod body;
#[cfg(feature = "vision")]
mod candidates;
#[cfg(feature = "vision")]
mod card;
#[cfg(feature = "vision")]
mod cards;
#[cfg(feature = "vision")]
mod charuco;
#[cfg(feature = "vision")]
mod colour;
#[cfg(feature = "vision")]
mod crop;
#[cfg(feature = "vision")]
mod detector;
#[cfg(feature = "vision")]
mod doubt;
#[cfg(feature = "vision")]
mod enrol;
#[cfg(feature = "vision")]
mod eye;
#[cfg(feature = "vision")]
mod follow;
#[cfg(feature = "vision")]
mod gallery;
#[cfg(feature = "vision")]
mod gate;
#[cfg(feature = "vision")]
mod ink;
#[cfg(feature = "vision")]
mod lab;
#[cfg(feature = "vision")]
mod layouts;
#[cfg(feature = "vision")]
mod likeliest;
#[cfg(feature = "vision")]
mod memory;
#[cfg(feature = "vision")]
mod model;
#[cfg(feature = "vision")]
mod news;
#[cfg(feature = "vision")]
mod octahedra;
#[cfg(feature = "vision")]
mod pieces;
#[cfg(feature = "vision")]
mod plane;
#[cfg(feature = "vision")]
mod quality;
#[cfg(feature = "vision")]
mod reader;
#[cfg(feature = "vision")]
mod refiner;
#[cfg(feature = "vision")]
mod register;
#[cfg(feature = "vision")]
mod rivals;
#[cfg(feature = "vision")]
mod runtime;
#[cfg(feature = "vision")]
mod same_print;
#[cfg(feature = "vision")]
mod shift;
#[cfg(feature = "vision")]
mod side;
#[cfg(feature = "vision")]
mod small;
#[cfg(feature = "vision")]
mod solids;
#[cfg(feature = "vision")]
mod stance;
#[cfg(feature = "vision")]
mod stored;
#[cfg(feature = "vision")]
mod upright;

#[cfg(feature = "vision")]
pub(crate) use memory::Patch;
#[cfg(feature = "vision")]
pub use {
    charuco::{
        Added, BOARD_MM, Calibrated, Calibrator, LEAST_VIEWS, SQUARE_MM, SQUARES, WANTED_VIEWS,
        board_in, drawn,
    },
    crop::{masked, rectify},
    detector::{Detection, Detector, Effort},
    enrol::{Enrolled, Enroller, Flaw, TooAlike, shown},
    eye::{Eye, Seen, VisionError},
    follow::Follower,
    gallery::{Alike, Misnamed},
    gate::Gate,
    layouts::{Odd, odd_layouts},
    model::ModelInfo,
    reader::Reader,
    register::{Grounds, Registered, Registrar, markers, plain},
    runtime::{models_folder, passed_over},
    same_print::same_print,
    stance::Stance,
};
