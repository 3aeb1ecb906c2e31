use eframe::egui::{
    Color32, FontId, Painter, Pos2, Rect, Shape as Stroked, Stroke, Vec2, pos2, vec2,
};

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

/// What a thing in the picture is called, to be written beside it.
pub(super) struct Label {
    /// What that covers on the screen.
    pub about: Rect,
    text: String,
    size: f32,
    colour: Color32,
    /// It may stand on what it names, and not beside it, where its neighbour is.
    on_it: bool,
}

/// What a label keeps clear on its left and right, and above and below.
const ROOM: Vec2 = vec2(4.0, 1.0);

/// Writes labels beside what they name, the first first: where they cover neither a die nor a label, as far as there is such a place, and within the
/// picture.
pub(super) fn labels(painter: &Painter, within: Rect, dice: &[Rect], labels: Vec<Label>) {
    let mut taken = dice.to_vec();
    for label in labels {
        let font = FontId::proportional(label.size);
        let galley = painter.layout_no_wrap(label.text, font, label.colour);
        let size = galley.size() + 2.0 * ROOM;
        let at = place(label.about, size, label.on_it, within, &taken);
        painter.rect_filled(at, 4.0, Color32::from_black_alpha(180));
        painter.galley(at.min + ROOM, galley, label.colour);
        taken.push(at);
    }
}

/// Where a label of this size covers least of what is `taken`: above or below what it names, and on a side of it or on it.
fn place(about: Rect, size: Vec2, on_it: bool, within: Rect, taken: &[Rect]) -> Rect {
    const GAP: f32 = 3.0;
    let middle = about.center() - size / 2.0;
    let (left, right) = (about.left() - GAP - size.x, about.right() + GAP);
    let (above, below) = (about.top() - GAP - size.y, about.bottom() + GAP);
    let (top, bottom) = (about.top() + GAP, about.bottom() - GAP - size.y);
    let sides = if on_it {
        let (left, right) = (about.left() + GAP, about.right() - GAP - size.x);
        [
            [middle.x, bottom],
            [middle.x, top],
            [left, bottom],
            [right, bottom],
            [left, top],
            [right, top],
        ]
    } else {
        [
            [right, middle.y],
            [left, middle.y],
            [right, above],
            [left, above],
            [right, below],
            [left, below],
        ]
    };
    let places = [
        [middle.x, above],
        [middle.x, below],
        [about.left(), above],
        [about.right() - size.x, above],
        [about.left(), below],
        [about.right() - size.x, below],
    ];
    let inside = places.into_iter().chain(sides).map(|[x, y]| {
        let most = within.max - size;
        let x = x.min(most.x).max(within.left());
        let y = y.min(most.y).max(within.top());
        Rect::from_min_size(pos2(x, y), size)
    });
    let covers = |at: &Rect| -> f32 {
        let each = taken.iter().map(|t| t.intersect(*at));
        each.filter(Rect::is_positive).map(|r| r.area()).sum()
    };
    // the first of those that are as good
    let better = |best: Rect, at: Rect| {
        if covers(&at) < covers(&best) {
            at
        } else {
            best
        }
    };
    inside.reduce(better).unwrap_or(about)
}

/// A surface's outline; its name, and its status where it is not sure.
pub(super) fn surface(
    painter: &Painter,
    origin: Pos2,
    scale: f32,
    surface: &SurfaceReport,
) -> Label {
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
    let text = match status {
        Status::Sure => surface.id.clone(),
        other => format!("{} ({})", surface.id, other.name()),
    };
    Label {
        about: Rect::from_points(&corners),
        text,
        size: 13.0,
        colour: colour(status),
        on_it: true,
    }
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

/// What a person said that lies in a zone, to be written beside it.
pub(super) fn word(
    origin: Pos2,
    scale: f32,
    zone: &ZoneOutline,
    dice: &[String],
    colour: Color32,
) -> Label {
    let ring = zone.outline.iter();
    let ring = ring
        .map(|p| origin + pos2((p.x as f32 + 0.5) * scale, (p.y as f32 + 0.5) * scale).to_vec2());
    Label {
        about: Rect::from_points(&ring.collect::<Vec<_>>()),
        text: match dice {
            [] => "nothing".to_owned(),
            some => some.join(" "),
        },
        size: 14.0,
        colour,
        on_it: false,
    }
}

/// A miniature as an arrow to its nose, anything else as a ring; with its name. A full line where sure, dashes where
/// not.
pub(super) fn piece(painter: &Painter, origin: Pos2, scale: f32, piece: &Piece) -> Label {
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
    let name = called(&piece.what);
    let text = match piece.status {
        Status::Sure if !piece.heading_sure => format!("{name}, facing?"),
        Status::Sure => name.to_owned(),
        Status::Hidden => format!("({name})"),
        _ => format!("{name}?"),
    };
    Label {
        about: Rect::from_points(&[a, b, c, d]),
        text,
        size: 12.0,
        colour: colour(status),
        on_it: false,
    }
}

/// What to call a miniature or a token: by the side that is up, where that says more than the kind does.
fn called(what: &str) -> &str {
    match what.split_once(' ') {
        Some((kind, side)) if kind.split(['-', '_']).any(|word| word == side) => kind,
        Some((_, side)) => side,
        None => what,
    }
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
) -> Label {
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
    let about = Rect::from_points(&corners);
    Label {
        text,
        // a word is no larger than what it names
        size: (about.height() * 0.8).clamp(11.0, 17.0),
        colour: colour(status),
        on_it: false,
        about,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_called_by_the_side_that_is_up_and_a_miniature_by_its_name() {
        assert_eq!(called("drift asteroid"), "asteroid");
        assert_eq!(called("mine-white mine"), "mine-white");
        assert_eq!(called("crystal crystal"), "crystal");
        assert_eq!(called("crystal a"), "a");
        assert_eq!(called("black"), "black");
    }

    #[test]
    fn labels_of_dice_in_a_row_cover_neither_each_other_nor_dice() {
        let within = Rect::from_min_size(pos2(0.0, 0.0), vec2(600.0, 400.0));
        let die = |x: f32, y: f32| Rect::from_min_size(pos2(x, y), vec2(16.0, 16.0));
        // the last in a corner of the picture
        let dice = [
            die(300.0, 200.0),
            die(320.0, 200.0),
            die(340.0, 200.0),
            die(0.0, 0.0),
        ];
        let mut taken = dice.to_vec();
        for about in dice {
            let at = place(about, vec2(40.0, 15.0), false, within, &taken);
            let covered = taken.iter().find(|t| t.intersect(at).is_positive());
            assert!(covered.is_none(), "{at} {covered:?}");
            assert!(within.contains_rect(at), "{at}");
            taken.push(at);
        }
        // above, where there is room
        let alone = place(dice[0], vec2(40.0, 15.0), false, within, &[]);
        assert!(alone.bottom() <= dice[0].top());
        // a card with others all about it: on it
        let card = Rect::from_min_size(pos2(200.0, 100.0), vec2(90.0, 60.0));
        let others = [
            Rect::from_min_max(pos2(0.0, 0.0), pos2(600.0, 99.0)),
            Rect::from_min_max(pos2(0.0, 161.0), pos2(600.0, 400.0)),
        ];
        assert!(card.contains_rect(place(card, vec2(60.0, 15.0), true, within, &others)));
    }
}
