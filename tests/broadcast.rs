//! What other programs on the network get: the page, the newest state, and its stream.
#![allow(clippy::expect_used, clippy::panic)]
#![cfg(feature = "stream")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    time::Duration,
};

use serde_json::Value;
use sightline::{
    broadcast,
    session::{Declaration, LiveState},
};

fn free() -> SocketAddr {
    let socket = TcpListener::bind("127.0.0.1:0").expect("a port");
    socket.local_addr().expect("its address")
}

fn ask(address: SocketAddr, path: &str, more: &str) -> (String, BufReader<TcpStream>) {
    let mut socket = TcpStream::connect(address).expect("a listener");
    socket
        .set_read_timeout(Some(Duration::from_secs(20)))
        .expect("set");
    write!(
        socket,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\n{more}\r\n"
    )
    .expect("asked");
    let mut reader = BufReader::new(socket);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(
            reader.read_line(&mut head).expect("an answer") > 0,
            "{head}"
        );
    }
    (head, reader)
}

fn body(address: SocketAddr, path: &str) -> (String, String) {
    let (head, mut rest) = ask(address, path, "Connection: close\r\n");
    let mut text = String::new();
    rest.read_to_string(&mut text).expect("a body");
    (head, text)
}

/// One text frame from the server (RFC 6455: never masked).
fn frame(reader: &mut BufReader<TcpStream>) -> String {
    let mut head = [0; 2];
    reader.read_exact(&mut head).expect("a frame");
    assert_eq!(head[0], 0x81, "one whole text frame");
    let mut length = u64::from(head[1]);
    if length == 126 {
        let mut more = [0; 2];
        reader.read_exact(&mut more).expect("its length");
        length = u16::from_be_bytes(more).into();
    }
    let mut text = vec![0; length as usize];
    reader.read_exact(&mut text).expect("its text");
    String::from_utf8(text).expect("utf-8")
}

#[test]
fn state_is_served_and_pushed() {
    let address = free();
    let listeners = broadcast::serve(address).expect("served");
    let (head, page) = body(address, "/");
    assert!(
        head.starts_with("HTTP/1.1 200") && page.contains("transparent"),
        "{head}"
    );
    let (mut _head, mut stream) = ask(
        address,
        "/ws",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGVzdGluZyBzaWdodGxpbmU=\r\n",
    );
    assert!(_head.starts_with("HTTP/1.1 101"), "{_head}");
    assert_eq!(frame(&mut stream), "{}", "nothing was seen yet");
    listeners.tell(&LiveState {
        misplaced: Vec::new(),
        camera: None,
        at_s: 2.5,
        size: [640, 480],
        surfaces: Vec::new(),
        minis: vec![],
        tokens: vec![],
        dice: Vec::new(),
        calls: Vec::new(),
        problems: Vec::new(),
        game: None,
    });
    let pushed: Value = serde_json::from_str(&frame(&mut stream)).expect("JSON");
    assert_eq!(pushed["at_s"], 2.5);
    assert_eq!(pushed["size"], serde_json::json!([640, 480]));
    let (head, text) = body(address, "/state.json");
    assert!(head.contains("application/json"), "{head}");
    assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), pushed);
    let (head, page) = body(address, "/control");
    assert!(
        head.starts_with("HTTP/1.1 200") && page.contains("/declare"),
        "{head}"
    );
    assert!(broadcast::serve(address).is_err(), "the address is taken");
}

#[test]
fn what_a_page_declares_is_heard_once_and_nonsense_is_refused() {
    let address = free();
    let listeners = broadcast::serve(address).expect("served");
    let post = |text: &str, kind: &str| {
        let mut socket = TcpStream::connect(address).expect("a listener");
        let more = format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", text.len());
        write!(
            socket,
            "POST /declare HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{more}\r\n{text}"
        )
        .expect("said");
        let mut answer = String::new();
        socket.read_to_string(&mut answer).expect("an answer");
        answer
    };
    let fire = r#"{"declare": "fire", "ship": "white", "torpedoes": 1}"#;
    let answer = post(fire, "application/json");
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    let answer = post(
        r#"{"declare": "fire", "ship": "white"}"#,
        "application/json",
    );
    assert!(
        answer.starts_with("HTTP/1.1 422") && answer.contains("torpedoes"),
        "{answer}"
    );
    // what another site's page may send without asking
    let answer = post(fire, "text/plain");
    assert!(answer.starts_with("HTTP/1.1 415"), "{answer}");
    let heard = listeners.heard();
    assert_eq!(heard.len(), 1, "{heard:?}");
    assert!(matches!(heard[0], Declaration::Fire { torpedoes: 1, .. }));
    assert!(listeners.heard().is_empty());
}
