use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Shape as Stroked, Stroke, pos2};

use crate::{
    copy::Status,
    geometry::Quad,
    session::{SurfaceReport, ZoneOutline},
    table::{Die, Piece},
};

pub(super) fn colour(status: Status) -> Color32 {
    match status {
        Status::Sure => Color32::from_rgb(70, 220, 120),
        Status::Unsure => Color32::from_rgb(255, 200, 60),
        Status::Hidden => Color32::from_rgb(160, 165, 175),
        Status::Unknown => Color32::from_rgb(205, 130, 255),
    }
}

/// A surface's outline with its name, and its status where it is not sure.
pub(super) fn surface(painter: &Painter, origin: Pos2, scale: f32, surface: &SurfaceReport) {
    let mut corners: Vec<Pos2> = surface
        .corners
        .iter()
        .map(|[x, y]| origin + pos2((*x as f32 + 0.5) * scale, (*y as f32 + 0.5) * scale).to_vec2())
        .collect();
    let status = surface.status;
    let stroke = Stroke::new(1.5, colour(status).gamma_multiply(0.8));
    corners.extend(corners.first().copied());
    if status == Status::Sure {
        painter.add(Stroked::line(corners.clone(), stroke));
    } else {
        painter.extend(Stroked::dashed_line(&corners, stroke, 9.0, 6.0));
    }
    let Some(at) = corners.first() else { return };
    let text = match status {
        Status::Sure => surface.id.clone(),
        other => format!("{} ({})", surface.id, other.name()),
    };
    let font = FontId::proportional(13.0);
    let galley = painter.layout_no_wrap(text.clone(), font.clone(), colour(status));
    let back = Align2::LEFT_BOTTOM
        .anchor_size(*at, galley.size())
        .expand2(eframe::egui::vec2(3.0, 1.0));
    painter.rect_filled(back, 3.0, Color32::from_black_alpha(170));
    painter.text(*at, Align2::LEFT_BOTTOM, text, font, colour(status));
}

/// A zone's outline, dashed, over the picture.
pub(super) fn zone(
    painter: &Painter,
    origin: Pos2,
    scale: f32,
    zone: &ZoneOutline,
    colour: Color32,
) {
    let mut ring: Vec<Pos2> = zone
        .outline
        .iter()
        .map(|p| origin + pos2((p.x as f32 + 0.5) * scale, (p.y as f32 + 0.5) * scale).to_vec2())
        .collect();
    ring.extend(ring.first().copied());
    painter.extend(Stroked::dashed_line(
        &ring,
        Stroke::new(3.0, colour),
        10.0,
        4.0,
    ));
}

/// A miniature as an arrow to its nose, anything else as a ring; with its name. A full line where sure, dashes where
/// not.
pub(super) fn piece(painter: &Painter, origin: Pos2, scale: f32, piece: &Piece) {
    let [a, b, c, d] = piece
        .polygon
        .0
        .map(|p| origin + pos2((p.x as f32 + 0.5) * scale, (p.y as f32 + 0.5) * scale).to_vec2());
    let between = |a: Pos2, b: Pos2| a + (b - a) * 0.5;
    let middle = between(a, c);
    let mut ring: Vec<Pos2> = match piece.heading_deg {
        Some(_) => vec![between(a, b), c, between(middle, between(c, d)), d],
        None => {
            // the square's inscribed ellipse, near enough
            let (right, down) = (between(b, c) - middle, between(c, d) - middle);
            let turn = |i: u8| (f32::from(i) * 15.0).to_radians();
            (0..24_u8)
                .map(|i| middle + right * turn(i).cos() + down * turn(i).sin())
                .collect()
        }
    };
    ring.extend(ring.first().copied());
    let status = piece.facing_status();
    let stroke = Stroke::new(2.0, colour(status));
    if status == Status::Sure {
        painter.add(Stroked::line(ring, stroke));
    } else {
        painter.extend(Stroked::dashed_line(&ring, stroke, 5.0, 4.0));
    }
    let name = piece.what.split(' ').next().unwrap_or_default();
    let text = match piece.status {
        Status::Sure if !piece.heading_sure => format!("{name}, facing?"),
        Status::Sure => name.to_owned(),
        Status::Hidden => format!("({name})"),
        _ => format!("{name}?"),
    };
    let font = FontId::proportional(12.0);
    let galley = painter.layout_no_wrap(text.clone(), font.clone(), colour(status));
    let low = [a, b, c, d].iter().map(|p| p.y).fold(f32::MIN, f32::max);
    let at = pos2(middle.x, low + 2.0);
    let back = Align2::CENTER_TOP
        .anchor_size(at, galley.size())
        .expand2(eframe::egui::vec2(3.0, 1.0));
    painter.rect_filled(back, 3.0, Color32::from_black_alpha(170));
    painter.text(at, Align2::CENTER_TOP, text, font, colour(status));
}

/// The top face's outline and what it was read as: a full line where sure, dashes where not; thick for the
/// dice that somebody points at.
pub(super) fn die(
    painter: &Painter,
    origin: Pos2,
    scale: f32,
    die: &Die,
    polygon: &Quad,
    thick: bool,
) {
    // an integer pixel coordinate is the pixel's centre
    let to_screen = |p: nalgebra::Point2<f64>| {
        origin + pos2((p.x as f32 + 0.5) * scale, (p.y as f32 + 0.5) * scale).to_vec2()
    };
    let outline = die.shape.outline(polygon);
    let mut corners: Vec<Pos2> = outline.into_iter().map(to_screen).collect();
    let status = die.status();
    let stroke = Stroke::new(if thick { 5.0 } else { 2.0 }, colour(status));
    corners.extend(corners.first().copied());
    if status == Status::Sure {
        painter.add(Stroked::line(corners.clone(), stroke));
    } else {
        painter.extend(Stroked::dashed_line(&corners, stroke, 5.0, 4.0));
    }
    let face = die.reading.face.as_deref().unwrap_or("?");
    let text = match status {
        Status::Sure => face.to_owned(),
        Status::Unsure if die.settled => format!("{face}?"),
        Status::Unsure => "…".to_owned(),
        Status::Hidden => format!("({})", die.last_sure.as_deref().unwrap_or("?")),
        Status::Unknown => "?".to_owned(),
    };
    let top = corners.iter().map(|p| p.y).fold(f32::MAX, f32::min);
    let middle = to_screen(die.polygon.centre()).x;
    let font = FontId::proportional(17.0);
    let galley = painter.layout_no_wrap(text.clone(), font.clone(), colour(status));
    let at = pos2(middle, top - 4.0);
    let back = Align2::CENTER_BOTTOM
        .anchor_size(at, galley.size())
        .expand2(eframe::egui::vec2(4.0, 1.0));
    painter.rect_filled(back, 4.0, Color32::from_black_alpha(190));
    painter.text(at, Align2::CENTER_BOTTOM, text, font, colour(status));
}
