//! Plane geometry, in pixels or millimetres, without OpenCV.
