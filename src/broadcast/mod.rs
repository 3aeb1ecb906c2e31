//! The state for other programs on this network: a page for OBS, its JSON, and a stream of it.
//!
//! `GET /` a transparent page with the calls, `GET /state.json` the newest state, `GET /ws` the same
//! pushed on every change of it.

use std::{net::SocketAddr, thread};

use axum::{
    Router,
    extract::{
        State,
        ws::{Message, WebSocket, WebSocketUpgrade},
    },
    http::header,
    response::{Html, IntoResponse, Response},
    routing::get,
};
use tokio::sync::watch;

use crate::session::LiveState;

/// Everybody who listens.
#[derive(Debug, Clone)]
pub struct Listeners(watch::Sender<String>);

/// Why nothing is served; one sentence.
#[derive(Debug, thiserror::Error)]
#[error("--serve {address}: {why}")]
pub struct ServeError {
    address: SocketAddr,
    why: std::io::Error,
}

impl Listeners {
    /// Tells everybody the newest state.
    pub fn tell(&self, state: &LiveState) {
        // plain data: it cannot fail to become JSON
        if let Ok(text) = serde_json::to_string(state) {
            self.0.send_replace(text);
        }
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
    thread::Builder::new()
        .name("broadcast".to_owned())
        .spawn(move || {
            runtime.block_on(async move {
                let app = Router::new()
                    .route("/", get(|| async { Html(include_str!("page.html")) }))
                    .route("/state.json", get(newest))
                    .route("/ws", get(stream))
                    .with_state(state);
                if let Ok(listener) = tokio::net::TcpListener::from_std(socket) {
                    // it ends with the program; a broken connection is that reader's own affair
                    let _ = axum::serve(listener, app).await;
                }
            });
        })
        .map_err(failed)?;
    Ok(Listeners(sender))
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
