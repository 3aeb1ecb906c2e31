//! A picture made small and smooth, in which change is told from a webcam's noise.

use opencv::{
    core::{self, Mat, ToInputArray},
    imgproc,
    prelude::*,
};

use super::{crop, eye::VisionError};

/// Its width: a die of 28 pixels in a picture of 1920 is five pixels wide in it.
pub(super) const WIDTH: i32 = 320;
/// Grey levels by which a pixel must differ from what it was, the whole picture's light apart; noise of webcams is
/// about one level after so much averaging.
const LEVELS: f64 = 10.0;

/// One such picture, grey.
#[derive(Debug, Clone)]
pub(super) struct Small(Mat);

impl Small {
    /// Of a picture, grey or RGB.
    pub fn of(picture: &(impl MatTraitConst + ToInputArray)) -> Result<Self, VisionError> {
        let height = (WIDTH * picture.rows() / picture.cols().max(1)).max(1);
        let small = crop::scaled(picture, WIDTH, height)?;
        let grey = if small.channels() == 1 {
            small
        } else {
            let mut grey = Mat::default();
            imgproc::cvt_color_def(&small, &mut grey, imgproc::COLOR_RGB2GRAY)?;
            grey
        };
        let mut smooth = Mat::default();
        imgproc::box_filter_def(&grey, &mut smooth, core::CV_32F, (3, 3).into())?;
        Ok(Self(smooth))
    }

    pub fn size(&self) -> Result<core::Size, VisionError> {
        Ok(self.0.size()?)
    }

    /// Where another one differs: 255 there, 0 elsewhere; everywhere where it has another size.
    pub fn change(&self, then: &Self) -> Result<Mat, VisionError> {
        if then.size()? != self.size()? {
            let all = core::Scalar::all(255.0);
            let size = self.size()?;
            return Ok(Mat::new_size_with_default(size, core::CV_8UC1, all)?);
        }
        let mut change = Mat::default();
        core::subtract_def(&self.0, &then.0, &mut change)?;
        // a lamp that flickers, an exposure that settles
        let light = core::mean_def(&change)?;
        let mut off = Mat::default();
        core::absdiff(&change, &light, &mut off)?;
        let mut over = Mat::default();
        core::compare(&off, &LEVELS, &mut over, core::CMP_GT)?;
        Ok(over)
    }
}
