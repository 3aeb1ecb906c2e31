//! One still picture from a JPEG or PNG file.

use std::{fs, io::Cursor, path::Path};

use image::{
    ColorType, DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, metadata::Orientation,
};

use super::{CaptureError, Picture, coded, jpeg};

/// A file larger than this is not read at all.
const FILE_BYTES_MAX: u64 = 512 << 20;
/// OpenCV counts what it warps in 16 bits.
const SIDE_MAX: u32 = 32_766;
/// What decoding may take: eight bytes (16-bit RGBA) for each pixel.
const MEMORY_BYTES_MAX: u64 = 8 * Picture::PIXELS_MAX + (64 << 20);

/// Reads a JPEG or PNG picture, whatever its file name ends in.
///
/// The turn that a camera wrote into the file (EXIF) is ignored: pixels are those of the file. What is
/// not 8-bit RGB is converted, and the second value says so in one sentence for the caller to print.
///
/// # Errors
/// What cannot be read as a whole: not there, empty, another kind of file, cut off, damaged, or larger
/// than [`Picture::PIXELS_MAX`].
pub fn load(path: &Path) -> Result<(Picture, Option<String>), CaptureError> {
    let bytes = read(path).map_err(|why| CaptureError::file(path, why))?;
    let (picture, note) = decode(&bytes).map_err(|why| CaptureError::file(path, why))?;
    // Webcams' frames are not held to this: some leave bytes over in every one.
    if bytes.starts_with(&[0xFF, 0xD8]) && coded::is_damaged(&bytes) {
        return Err(CaptureError::file(
            path,
            "is damaged (its data do not fit its size): copy it anew or take the picture again",
        ));
    }
    let note = note.map(|note| format!("{}: {note}", path.display()));
    Ok((picture, note))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error| format!("cannot be read: {}", crate::copy::in_words(&error));
    let about = fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        return Err("is not a file: name a JPEG or PNG picture".into());
    }
    if about.len() == 0 {
        return Err("is empty (0 bytes): take the picture again or copy it anew".into());
    }
    if about.len() > FILE_BYTES_MAX {
        return Err("is larger than 512 MiB: scale the picture down".into());
    }
    fs::read(path).map_err(unreadable)
}

/// As [`load`], from memory; errors and the note read on after the file's name.
pub(super) fn decode(bytes: &[u8]) -> Result<(Picture, Option<String>), String> {
    const CUT: &str = "ends early, the rest is missing: copy it anew";
    let damaged = |error: image::ImageError| {
        // Some of the decoder's messages are of several lines.
        let error = error
            .to_string()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        format!("is damaged ({error}): copy it anew or take the picture again")
    };
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Jpeg | ImageFormat::Png)) => format,
        _ => return Err("is not a JPEG or PNG picture: convert it to one of them".into()),
    };
    let (whole, scan) = match format {
        ImageFormat::Png => (png_is_whole(bytes), None),
        _ => {
            let scan = jpeg::scan(bytes);
            (scan.is_some(), scan)
        }
    };
    let mut decoder = match ImageReader::with_format(Cursor::new(bytes), format).into_decoder() {
        Ok(decoder) => decoder,
        Err(error) if whole => return Err(damaged(error)),
        Err(_) => return Err(CUT.into()),
    };
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > Picture::PIXELS_MAX {
        return Err(format!(
            "is {width}x{height}, more than {} megapixels: scale it down",
            Picture::PIXELS_MAX / 1_000_000
        ));
    }
    if width.max(height) > SIDE_MAX {
        return Err(format!(
            "is {width}x{height}: no side may be longer than {SIDE_MAX} pixels, scale it down"
        ));
    }
    if !whole {
        return Err(CUT.into());
    }
    let is_cmyk = scan.as_ref().is_some_and(|scan| scan.channels == 4);
    if is_cmyk && scan.is_some_and(|scan| !scan.has_adobe) {
        return Err("is CMYK and does not say which way round: save it as RGB".into());
    }
    let turned = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let turned = turned != Orientation::NoTransforms;
    let note = note(decoder.color_type(), is_cmyk, turned);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MEMORY_BYTES_MAX);
    decoder.set_limits(limits).map_err(damaged)?;
    let rgb = DynamicImage::from_decoder(decoder)
        .map_err(damaged)?
        .into_rgb8();
    Picture::from_rgb(width, height, rgb.into_raw())
        .map(|picture| (picture, note))
        .ok_or_else(|| "holds no pixels: take the picture again".into())
}

fn note(color: ColorType, is_cmyk: bool, turned: bool) -> Option<String> {
    let mut parts = Vec::new();
    if turned {
        parts.push("its camera says that it should be turned (EXIF), which is not done: turn its pixels if it does not stand upright");
    }
    if is_cmyk {
        parts.push("CMYK, converted to RGB");
    }
    if color.bytes_per_pixel() / color.channel_count() > 1 {
        parts.push("16 bits a channel, read as 8");
    }
    if !color.has_color() {
        parts.push("grey, without colour to tell things apart by");
    }
    if color.has_alpha() {
        parts.push("transparency left out");
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Whether the chunks run unbroken to the end chunk (PNG specification, section 5).
fn png_is_whole(bytes: &[u8]) -> bool {
    let mut at = 8;
    while let Some(&[a, b, c, d, ref kind @ ..]) = bytes.get(at..at + 8) {
        at = at.saturating_add(12 + u32::from_be_bytes([a, b, c, d]) as usize);
        if kind == b"IEND" {
            return at <= bytes.len();
        }
    }
    false
}
