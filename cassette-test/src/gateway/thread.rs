//! The thread that serves every gateway of a session.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::commons::Commons;
use super::connection;
use super::listeners::{Errand, Listeners};
use super::origin::Origin;
use crate::guard::spawn_exempt;
use crate::options::Pace;
use crate::wire::{Desk, Limits};

/// Starts the thread.
///
/// It is exempt from the network guard, and so is the one that looks up names for it: what it sends, the session has let
/// through.
///
/// # Errors
///
/// Fails where there is no thread or no runtime to be had.
pub(super) fn start(desk: Arc<dyn Desk>, limits: Limits, pace: Pace) -> io::Result<(Arc<Commons>, JoinHandle<()>)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    let (sender, orders) = unbounded_channel();
    let listeners = Listeners::new(sender);
    let commons = Arc::new(Commons::new(desk, listeners, limits, pace));
    let serving = Arc::clone(&commons);
    let thread = spawn_exempt("cassette-gateway", move || {
        runtime.block_on(serve(serving, orders));
        // Drops every task, and so every call under way, without waiting for a name that is being looked up.
        runtime.shutdown_background();
    })?;
    Ok((commons, thread))
}

async fn serve(commons: Arc<Commons>, mut orders: UnboundedReceiver<Errand>) {
    let mut accepting = Vec::new();
    while let Some(Errand::Listen(origin, listener)) = orders.recv().await {
        accepting.push(tokio::spawn(accept(Arc::clone(&commons), origin, listener)));
    }
    accepting.iter().for_each(tokio::task::JoinHandle::abort);
    commons.player.held.settle().await;
    commons.player.held.end(&*commons.player.desk);
}

async fn accept(commons: Arc<Commons>, origin: Origin, listener: TcpListener) {
    // Why a listener may fail again and again: the process has no descriptors left. Others may be closed meanwhile.
    const PAUSE: Duration = Duration::from_millis(10);
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(connection::serve(Arc::clone(&commons), origin.clone(), stream));
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}
