//! Yes, no, or not known: `Option<bool>`, and what follows from two of them.

/// `None` is "it depends on what is not known".
pub(crate) type Tri = Option<bool>;

/// Both; a sure no settles it.
pub(crate) fn and(a: Tri, b: Tri) -> Tri {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// Either; a sure yes settles it.
pub(crate) fn or(a: Tri, b: Tri) -> Tri {
    not(and(not(a), not(b)))
}

/// Any of them; a sure yes settles it.
pub(crate) fn any(all: impl Iterator<Item = Tri>) -> Tri {
    let mut sum = Some(false);
    for one in all {
        sum = or(sum, one);
    }
    sum
}

/// The opposite.
pub(crate) fn not(a: Tri) -> Tri {
    a.map(|a| !a)
}

/// What all of them say; `None` where they differ, or where there are none.
pub(crate) fn agree(mut all: impl Iterator<Item = bool>) -> Tri {
    let first = all.next()?;
    all.all(|next| next == first).then_some(first)
}
