//! A lens in the form that ROS exchanges it in (`camera_info` YAML: plumb bob model), and one field of ours that others pass over:
//! `focal_error`, the standard error of the focal length as a part of it.

use std::{fs, path::Path};

use super::FOCAL_ERROR;
use crate::{
    copy::{FileError, in_words},
    geometry::Lens,
};

/// What the file says: the lens, the size of the pictures it is for, and the camera's name.
#[derive(Debug, Clone, PartialEq)]
pub struct CameraInfo {
    pub camera: String,
    pub size_px: [u32; 2],
    pub lens: Lens,
}

impl CameraInfo {
    /// The file's text.
    pub fn to_yaml(&self) -> String {
        let [w, h] = self.size_px;
        let ([fx, fy], [cx, cy]) = (self.lens.focal_px, self.lens.centre_px);
        let [k1, k2, p1, p2, k3] = self.lens.distortion;
        format!(
            "image_width: {w}\nimage_height: {h}\ncamera_name: {name}\ncamera_matrix:\n  rows: 3\n  cols: 3\n  data: [{fx:.6}, 0.0, {cx:.6}, 0.0, {fy:.6}, {cy:.6}, 0.0, 0.0, 1.0]\ndistortion_model: plumb_bob\ndistortion_coefficients:\n  rows: 1\n  cols: 5\n  data: [{k1:.8}, {k2:.8}, {p1:.8}, {p2:.8}, {k3:.8}]\nrectification_matrix:\n  rows: 3\n  cols: 3\n  data: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]\nprojection_matrix:\n  rows: 3\n  cols: 4\n  data: [{fx:.6}, 0.0, {cx:.6}, 0.0, 0.0, {fy:.6}, {cy:.6}, 0.0, 0.0, 0.0, 1.0, 0.0]\nfocal_error: {error:.6}\n",
            error = self.lens.focal_error,
            name = serde_json::Value::from(self.camera.as_str())
        )
    }

    /// Reads a file, its fields in any order; those that are not about the lens are passed over. A lens is never taken to be known
    /// better than to [`FOCAL_ERROR`], which the board's views do not tell: how flat it lay, and how true it was printed.
    ///
    /// # Errors
    /// The first thing that is missing or cannot be, with file and field.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        let wrong = |why: String| FileError::Unreadable {
            path: path.to_owned(),
            why,
        };
        let text = fs::read_to_string(path).map_err(|e| wrong(in_words(&e)))?;
        Self::parse(&text).map_err(wrong)
    }

    fn parse(text: &str) -> Result<Self, String> {
        use saphyr::{LoadableYamlNode, Yaml};
        let documents = Yaml::load_from_str(text).map_err(|e| {
            let line = e.marker().line();
            format!(
                "line {line}: is no YAML as ROS writes camera_info ({})",
                e.info()
            )
        })?;
        let root = documents.first().ok_or("is empty")?;
        let whole = |field: &str| -> Result<u32, String> {
            root.as_mapping_get(field)
                .and_then(Yaml::as_integer)
                .and_then(|v| u32::try_from(v).ok())
                .filter(|v| (16..=32_766).contains(v))
                .ok_or_else(|| format!("{field}: a whole number of pixels is wanted"))
        };
        let data = |field: &str, n: usize| -> Result<Vec<f64>, String> {
            let list = root
                .as_mapping_get(field)
                .and_then(|m| m.as_mapping_get("data"))
                .and_then(Yaml::as_sequence)
                .ok_or_else(|| format!("{field}.data: a list of numbers is wanted"))?;
            let numbers: Option<Vec<f64>> = list
                .iter()
                .map(|v| {
                    v.as_floating_point()
                        .or_else(|| v.as_integer().map(|i| i as f64))
                })
                .collect();
            numbers
                .filter(|v| v.len() >= n && v.iter().all(|x| x.is_finite()))
                .ok_or_else(|| format!("{field}.data: {n} numbers are wanted"))
        };
        if let Some(model) = root
            .as_mapping_get("distortion_model")
            .and_then(Yaml::as_str)
            && model != "plumb_bob"
        {
            return Err(format!(
                "distortion_model: {model} is not known here; plumb_bob is"
            ));
        }
        let size_px = [whole("image_width")?, whole("image_height")?];
        let k = data("camera_matrix", 9)?;
        let d = data("distortion_coefficients", 4)?;
        let focal_px = [k[0], k[4]];
        if focal_px.iter().any(|f| !(10.0..=1e5).contains(f)) {
            return Err(
                "camera_matrix.data: a focal length lies between 10 and 100000 pixels".into(),
            );
        }
        let error = match root.as_mapping_get("focal_error") {
            None => FOCAL_ERROR,
            Some(v) => v
                .as_floating_point()
                .or_else(|| v.as_integer().map(|i| i as f64))
                .filter(|e| (0.0..=0.5).contains(e))
                .ok_or("focal_error: a part of the focal length between 0 and 0.5 is wanted")?,
        };
        Ok(Self {
            camera: root
                .as_mapping_get("camera_name")
                .and_then(Yaml::as_str)
                .unwrap_or_default()
                .to_owned(),
            size_px,
            lens: Lens {
                focal_px,
                centre_px: [k[2], k[5]],
                distortion: [d[0], d[1], d[2], d[3], d.get(4).copied().unwrap_or(0.0)],
                focal_error: error.max(FOCAL_ERROR),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info() -> CameraInfo {
        CameraInfo {
            camera: "a \"quoted\" camera".into(),
            size_px: [1280, 720],
            lens: Lens {
                focal_px: [912.5, 911.25],
                centre_px: [641.5, 357.75],
                distortion: [-0.08, 0.02, 0.001, -0.0005, 0.0],
                focal_error: FOCAL_ERROR,
            },
        }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(CameraInfo::parse(&info().to_yaml()), Ok(info()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let text = info().to_yaml();
        let refused =
            |from: &str, to: &str| CameraInfo::parse(&text.replace(from, to)).expect_err("refused");
        assert!(refused("plumb_bob", "equidistant").starts_with("distortion_model: "));
        assert!(refused("image_width: 1280", "image_width: -3").starts_with("image_width: "));
        assert!(refused("camera_matrix", "camera").starts_with("camera_matrix.data: "));
        assert!(refused("912.5", "0.5").starts_with("camera_matrix.data: "));
        assert!(refused("focal_error: 0.005", "focal_error: 5").starts_with("focal_error: "));
        let poor = text.replace("focal_error: 0.005", "focal_error: 0.025");
        let poor = CameraInfo::parse(&poor).expect("a lens");
        assert_eq!(poor.lens.focal_error, 0.025);
        let others = text.replace("focal_error: 0.005000\n", "");
        assert_eq!(CameraInfo::parse(&others), Ok(info()));
        let cut = refused("cols: 5", "cols: [5");
        assert!(cut.starts_with("line ") && !cut.contains('\n'), "{cut}");
        assert!(CameraInfo::parse("").is_err());
        assert!(CameraInfo::parse("[").is_err());
    }
}
