//! The state for other programs on this network: a page for OBS, its JSON, and a stream of it.
//!
//! `GET /` a transparent page with the calls, `GET /state.json` the newest state, `GET /ws` the same
//! pushed on every change of it. `GET /control` has buttons for what players declare; they `POST /declare` it as JSON
//! (`sightline schema declaration`).

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use axum::{
    Json, Router,
    extract::{
        State,
        ws::{Message, WebSocket, WebSocketUpgrade},
    },
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use tokio::sync::watch;

use crate::session::{Declaration, LiveState};

/// Everybody who listens, and may declare.
#[derive(Debug, Clone)]
pub struct Listeners {
    state: watch::Sender<String>,
    said: Arc<Mutex<mpsc::Receiver<Declaration>>>,
}

/// Why nothing is served; one sentence.
#[derive(Debug, thiserror::Error)]
#[error("--serve {address}: {}", in_words(why))]
pub struct ServeError {
    address: SocketAddr,
    why: std::io::Error,
}

fn in_words(why: &std::io::Error) -> String {
    use std::io::ErrorKind as Kind;
    match why.kind() {
        Kind::AddrInUse => "another program has that port: name another".to_owned(),
        Kind::AddrNotAvailable => {
            "that is no address of this machine: 127.0.0.1 always is".to_owned()
        }
        Kind::PermissionDenied => {
            "this user may not have that port: take one from 1024 on".to_owned()
        }
        _ => why.to_string(),
    }
}

impl Listeners {
    /// Tells everybody the newest state.
    pub fn tell(&self, state: &LiveState) {
        // plain data: it cannot fail to become JSON
        if let Ok(text) = serde_json::to_string(state) {
            self.state.send_replace(text);
        }
    }

    /// What was declared since last asked.
    pub fn heard(&self) -> Vec<Declaration> {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        said.try_iter().collect()
    }
}

/// Serves from a thread of its own, as long as the program runs.
///
/// # Errors
/// The address is taken or is not this machine's.
pub fn serve(address: SocketAddr) -> Result<Listeners, ServeError> {
    let failed = |why| ServeError { address, why };
    let socket = std::net::TcpListener::bind(address).map_err(failed)?;
    socket.set_nonblocking(true).map_err(failed)?;
    let (sender, _) = watch::channel("{}".to_owned());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(failed)?;
    let state = sender.subscribe();
    let (say, said) = mpsc::channel();
    thread::Builder::new()
        .name("broadcast".to_owned())
        .spawn(move || {
            runtime.block_on(async move {
                let app = Router::new()
                    .route("/", get(|| async { Html(include_str!("page.html")) }))
                    .route("/state.json", get(newest))
                    .route("/ws", get(stream))
                    .with_state(state)
                    .route(
                        "/control",
                        get(|| async { Html(include_str!("control.html")) }),
                    )
                    .merge(
                        Router::new()
                            .route("/declare", post(declare))
                            .with_state(say),
                    );
                if let Ok(listener) = tokio::net::TcpListener::from_std(socket) {
                    // it ends with the program; a broken connection is that reader's own affair
                    let _ = axum::serve(listener, app).await;
                }
            });
        })
        .map_err(failed)?;
    Ok(Listeners {
        state: sender,
        said: Arc::new(Mutex::new(said)),
    })
}

/// A browser asks before it sends JSON across sites, and is not answered: only this page's own buttons declare.
async fn declare(
    State(say): State<mpsc::Sender<Declaration>>,
    Json(said): Json<Declaration>,
) -> StatusCode {
    match say.send(said) {
        Ok(()) => StatusCode::NO_CONTENT,
        Err(_) => StatusCode::GONE,
    }
}

async fn newest(State(state): State<watch::Receiver<String>>) -> Response {
    let body = state.borrow().clone();
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

async fn stream(
    upgrade: WebSocketUpgrade,
    State(state): State<watch::Receiver<String>>,
) -> Response {
    upgrade.on_upgrade(|socket| push(socket, state))
}

async fn push(mut socket: WebSocket, mut state: watch::Receiver<String>) {
    loop {
        let text = state.borrow_and_update().clone();
        if socket.send(Message::Text(text.into())).await.is_err() || state.changed().await.is_err()
        {
            return;
        }
    }
}
