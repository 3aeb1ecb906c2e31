//! From what a camera or a decoder delivers to 8-bit RGB.

use std::borrow::Cow;

use opencv::{
    core::{self, Mat, MatTraitConst, ToInputArray, Vec2b, Vec3b},
    imgcodecs, imgproc,
};

use super::{Picture, jpeg, still};

/// The pixel formats that [`decode`] knows, by their V4L2 names.
pub(super) const KNOWN: [&str; 7] = ["MJPG", "JPEG", "YUYV", "UYVY", "NV12", "RGB3", "BGR3"];

/// How the bytes of one camera frame lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout<'a> {
    pub fourcc: &'a str,
    pub width: u32,
    pub height: u32,
    /// Bytes from one row to the next; 0 where rows follow each other without a gap.
    pub stride: u32,
}

/// One camera frame as a picture. `None` when it is broken: too short, cut off, of another size.
///
/// YUV is read as BT.601 of limited range, as USB webcams send it.
pub(super) fn decode(bytes: &[u8], layout: Layout) -> Option<Picture> {
    let Layout { width, height, .. } = layout;
    match layout.fourcc {
        "MJPG" | "JPEG" => decode_jpeg(bytes)
            .filter(|picture| (picture.width(), picture.height()) == (width, height)),
        "YUYV" | "UYVY" => {
            let bytes = rows(bytes, layout, width.checked_mul(2)?, height)?;
            let source =
                Mat::new_rows_cols_with_bytes::<Vec2b>(height as i32, width as i32, &bytes).ok()?;
            let code = match layout.fourcc {
                "YUYV" => imgproc::COLOR_YUV2RGB_YUYV,
                _ => imgproc::COLOR_YUV2RGB_UYVY,
            };
            convert(&source, width, height, code)
        }
        "NV12" => {
            let all_rows = height.checked_add(height / 2)?;
            let bytes = rows(bytes, layout, width, all_rows)?;
            let source =
                Mat::new_rows_cols_with_bytes::<u8>(all_rows as i32, width as i32, &bytes).ok()?;
            convert(&source, width, height, imgproc::COLOR_YUV2RGB_NV12)
        }
        "RGB3" => Picture::from_rgb(
            width,
            height,
            rows(bytes, layout, width.checked_mul(3)?, height)?,
        ),
        "BGR3" => {
            let bytes = rows(bytes, layout, width.checked_mul(3)?, height)?;
            let source =
                Mat::new_rows_cols_with_bytes::<Vec3b>(height as i32, width as i32, &bytes).ok()?;
            convert(&source, width, height, imgproc::COLOR_BGR2RGB)
        }
        _ => None,
    }
}

/// A picture that OpenCV decoded. `None` when it is not of three 8-bit channels.
pub(super) fn from_bgr(bgr: &Mat) -> Option<Picture> {
    if bgr.typ() != core::CV_8UC3 {
        return None;
    }
    let (width, height) = (bgr.cols().try_into().ok()?, bgr.rows().try_into().ok()?);
    convert(bgr, width, height, imgproc::COLOR_BGR2RGB)
}

/// What lies behind the end marker is not looked at: drivers hand out old bytes there.
fn decode_jpeg(bytes: &[u8]) -> Option<Picture> {
    let scan = jpeg::scan(bytes)?;
    let bytes = bytes.get(..scan.length)?;
    if scan.has_huffman_tables {
        return still::decode(bytes).ok().map(|(picture, _)| picture);
    }
    // Cameras may leave out the tables that the standard names; OpenCV puts them in.
    let flags = imgcodecs::IMREAD_COLOR | imgcodecs::IMREAD_IGNORE_ORIENTATION;
    from_bgr(&imgcodecs::imdecode(&Mat::from_slice(bytes).ok()?, flags).ok()?)
}

/// `count` rows of `row_bytes` without gaps.
fn rows<'a>(bytes: &'a [u8], layout: Layout, row_bytes: u32, count: u32) -> Option<Cow<'a, [u8]>> {
    let (row_bytes, count) = (row_bytes as usize, count as usize);
    let stride = (layout.stride as usize).max(row_bytes);
    if row_bytes == 0 || count == 0 {
        return None;
    }
    if stride == row_bytes {
        return bytes.get(..row_bytes.checked_mul(count)?).map(Cow::from);
    }
    let mut packed = Vec::with_capacity(row_bytes * count);
    for row in 0..count {
        let start = row * stride;
        packed.extend_from_slice(bytes.get(start..start + row_bytes)?);
    }
    Some(packed.into())
}

fn convert(source: &impl ToInputArray, width: u32, height: u32, code: i32) -> Option<Picture> {
    let size = (width as usize)
        .checked_mul(height as usize)?
        .checked_mul(3)?;
    let mut rgb = vec![0; size];
    let mut target =
        Mat::new_rows_cols_with_bytes_mut::<Vec3b>(height as i32, width as i32, &mut rgb).ok()?;
    imgproc::cvt_color_def(source, &mut target, code).ok()?;
    drop(target);
    Picture::from_rgb(width, height, rgb)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn layout(fourcc: &str, stride: u32) -> Layout<'_> {
        let (width, height) = (4, 2);
        Layout {
            fourcc,
            width,
            height,
            stride,
        }
    }

    /// BT.601, limited range: red is Y 81, U 90, V 240; blue is Y 41, U 240, V 110.
    #[test]
    fn every_format_gives_red_on_the_left_and_blue_on_the_right() {
        let yuyv = [81, 90, 81, 240, 41, 240, 41, 110].repeat(2);
        let uyvy = [90, 81, 240, 81, 240, 41, 110, 41].repeat(2);
        let mut nv12 = [81, 81, 41, 41].repeat(2);
        nv12.extend([90, 240, 240, 110]);
        let rgb = [255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255].repeat(2);
        let bgr = [0, 0, 255, 0, 0, 255, 255, 0, 0, 255, 0, 0].repeat(2);
        for (fourcc, bytes) in [
            ("YUYV", yuyv),
            ("UYVY", uyvy),
            ("NV12", nv12),
            ("RGB3", rgb),
            ("BGR3", bgr),
        ] {
            let picture = decode(&bytes, layout(fourcc, 0)).unwrap();
            let expected = [255u8, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255].repeat(2);
            for (seen, expected) in picture.rgb().iter().zip(&expected) {
                assert!(
                    seen.abs_diff(*expected) <= 3,
                    "{fourcc}: {:?}",
                    picture.rgb()
                );
            }
            assert!(decode(&bytes[..bytes.len() - 1], layout(fourcc, 0)).is_none());

            // The same with a gap of three bytes behind each row.
            let row = bytes.len() / if fourcc == "NV12" { 3 } else { 2 };
            let padded: Vec<u8> = bytes
                .chunks(row)
                .flat_map(|row| row.iter().copied().chain([7, 7, 7]))
                .collect();
            let same = decode(&padded, layout(fourcc, row as u32 + 3)).unwrap();
            assert!(same == picture, "{fourcc}");
        }
    }

    #[test]
    fn a_jpeg_frame_is_read_with_or_without_its_tables_and_never_in_part() {
        let source =
            Mat::new_rows_cols_with_default(16, 16, core::CV_8UC3, (0.0, 0.0, 255.0, 0.0).into());
        let mut encoded = core::Vector::<u8>::new();
        imgcodecs::imencode_def(".jpg", &source.unwrap(), &mut encoded).unwrap();
        let bytes: Vec<u8> = encoded.iter().collect();
        let layout = Layout {
            fourcc: "MJPG",
            width: 16,
            height: 16,
            stride: 0,
        };

        let mut without_tables = bytes.clone();
        while let Some(at) = without_tables
            .windows(2)
            .position(|pair| pair == [0xFF, 0xC4])
        {
            let length = u16::from_be_bytes([without_tables[at + 2], without_tables[at + 3]]);
            without_tables.drain(at..at + 2 + usize::from(length));
        }
        assert!(without_tables.len() < bytes.len() - 400);
        let mut followed = bytes.clone();
        followed.extend([9; 300]);
        for bytes in [&bytes, &without_tables, &followed] {
            let picture = decode(bytes, layout).unwrap();
            let [r, g, b] = picture.rgb()[300..303] else {
                panic!()
            };
            assert!(r > 250 && g < 5 && b < 5, "{r} {g} {b}");
        }
        for length in 0..bytes.len() {
            assert!(decode(&bytes[..length], layout).is_none(), "{length}");
        }
        let other_size = Layout {
            width: 32,
            ..layout
        };
        assert!(decode(&bytes, other_size).is_none());
    }
}
