//! A picture's colours as people see them apart.

use opencv::{
    core::{self, Mat, Size},
    imgproc,
    prelude::*,
};

use super::eye::VisionError;
use crate::geometry::{Point, Quad};

/// A picture in CIE Lab (L 0 to 255, as OpenCV has it in 8 bits), for sampling between pixels.
pub(super) struct Lab {
    pub width: usize,
    pub height: usize,
    data: Vec<[f32; 3]>,
}

impl Lab {
    pub fn of(picture: &Mat, blur: f64) -> Result<Self, VisionError> {
        let (mut lab, mut soft) = (Mat::default(), Mat::default());
        imgproc::cvt_color_def(picture, &mut lab, imgproc::COLOR_RGB2Lab)?;
        imgproc::gaussian_blur_def(&lab, &mut soft, Size::new(0, 0), blur)?;
        let data = soft
            .data_typed::<core::Vec3b>()?
            .iter()
            .map(|p| p.0.map(f32::from))
            .collect();
        Ok(Self {
            width: soft.cols() as usize,
            height: soft.rows() as usize,
            data,
        })
    }

    /// Bilinear; the rim goes on for ever.
    pub fn at(&self, p: Point) -> [f32; 3] {
        let x = p.x.clamp(0.0, self.width as f64 - 1.0);
        let y = p.y.clamp(0.0, self.height as f64 - 1.0);
        let (x0, y0) = (x as usize, y as usize);
        let (x1, y1) = ((x0 + 1).min(self.width - 1), (y0 + 1).min(self.height - 1));
        let (fx, fy) = ((x - x0 as f64) as f32, (y - y0 as f64) as f32);
        let pixel = |x: usize, y: usize| self.data[y * self.width + x];
        let (a, b, c, d) = (pixel(x0, y0), pixel(x1, y0), pixel(x0, y1), pixel(x1, y1));
        std::array::from_fn(|i| {
            let top = a[i] + (b[i] - a[i]) * fx;
            let bottom = c[i] + (d[i] - c[i]) * fx;
            top + (bottom - top) * fy
        })
    }

    /// Whether a quadrilateral lies in the picture, so far from its rim.
    pub fn holds(&self, q: &Quad, rim: f64) -> bool {
        q.0.iter().all(|p| {
            p.x >= rim
                && p.y >= rim
                && p.x <= self.width as f64 - 1.0 - rim
                && p.y <= self.height as f64 - 1.0 - rim
        })
    }
}
