//! The transport for clients of rmcp.

use std::collections::VecDeque;
use std::error::Error;
use std::fmt::{self, Display};
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;

use cassette_core::mcp::{Connection, Say};
use cassette_core::reply::{TransportClass, TransportError};
use rmcp::service::{RoleClient, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::{IntoTransport, Transport};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::cassette::Cassette;
use crate::mcp::Line;

type Sending = Pin<Box<dyn Future<Output = Result<(), String>> + Send>>;
type Connect<T> = Box<dyn FnOnce() -> Result<T, String> + Send>;

/// A transport of an MCP client whose server is recorded.
///
/// It is made by [`Cassette::mcp`] or [`Cassette::mcp_with`], and given to a client in the place of its own.
pub struct CassetteTransport<T> {
    line: Line,
    server: Server<T>,
    /// What the client has still to be told.
    inbox: VecDeque<String>,
    /// What the server is being told because of what it said.
    sending: VecDeque<Sending>,
    hung_up: bool,
    /// What a client is told that has waited too long, and how it comes here.
    late: (UnboundedSender<Vec<Say>>, UnboundedReceiver<Vec<Say>>),
}

/// The real server.
enum Server<T> {
    /// It is there as soon as something goes live.
    Waiting(Connect<T>),
    /// It is there.
    Live(T),
    /// There is none, or none any more.
    Gone,
}

/// What there is to hear.
enum Heard {
    /// What the client is told that has waited too long.
    Late(Vec<Say>),
    /// What the server says; nothing where it has closed the connection.
    Server(Option<serde_json::Result<String>>),
}

impl<T: Transport<RoleClient>> Server<T> {
    /// Returns what it says next. Where it is not there, it never says anything.
    async fn speaks(&mut self) -> Option<serde_json::Result<String>> {
        match self {
            Server::Live(server) => server.receive().await.map(|said| serde_json::to_string(&said)),
            Server::Waiting(_) | Server::Gone => std::future::pending().await,
        }
    }
}

/// Why a message did not go through: its test has ended, or the server is gone.
#[derive(Debug)]
pub struct TransportFailed(String);

impl Display for TransportFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for TransportFailed {}

impl Cassette {
    /// Returns the transport to give to an rmcp client instead of this one: what it asks its server goes through the cassette.
    ///
    /// In a replay the given transport is dropped at once. Where making it starts something, as a child process does, let
    /// [`mcp_with`](Cassette::mcp_with) make it.
    ///
    /// # Panics
    ///
    /// Panics where the test's name hangs on its arguments, and the test has not begun.
    #[track_caller]
    #[must_use]
    pub fn mcp<T, E, A>(&self, transport: T) -> CassetteTransport<impl Transport<RoleClient, Error = E> + use<T, E, A>>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: Error + Send + Sync + 'static,
    {
        self.mcp_with(move || Ok::<_, TransportFailed>(transport))
    }

    /// Returns the transport to give to an rmcp client instead of the one that `connect` makes, as [`mcp`](Cassette::mcp) does.
    /// It is made when the first message goes live: in a replay, never.
    ///
    /// ```ignore
    /// let transport = cassette.mcp_with(|| TokioChildProcess::new(Command::new("timetable-server")));
    /// let client = ().serve(transport).await?;
    /// ```
    ///
    /// # Panics
    ///
    /// Panics where the test's name hangs on its arguments, and the test has not begun.
    #[track_caller]
    #[must_use]
    pub fn mcp_with<T, E, A, F, C>(
        &self,
        connect: C,
    ) -> CassetteTransport<impl Transport<RoleClient, Error = E> + use<T, E, A, F, C>>
    where
        C: FnOnce() -> Result<T, F> + Send + 'static,
        T: IntoTransport<RoleClient, E, A>,
        E: Error + Send + Sync + 'static,
        F: Display,
    {
        let connect: Connect<_> =
            Box::new(move || connect().map(IntoTransport::into_transport).map_err(|error| error.to_string()));
        let server = if self.is_replaying() { Server::Gone } else { Server::Waiting(connect) };
        let scope = self.as_scope();
        let line = match scope.session() {
            Ok(session) => scope.connections().open(session, Connection::new()),
            Err(report) => panic!("{report}"),
        };
        CassetteTransport {
            line,
            server,
            inbox: VecDeque::new(),
            sending: VecDeque::new(),
            hung_up: false,
            late: unbounded_channel(),
        }
    }
}

impl<T> CassetteTransport<T> {
    /// Names the server in the recording: where a test speaks to several at once, each has to be told from the others, and it fails
    /// where two of one name are.
    #[must_use]
    pub fn named(self, server: &str) -> CassetteTransport<T> {
        *self.line.connection() = Connection::to(server);
        self
    }
}

impl<T: Transport<RoleClient> + 'static> CassetteTransport<T> {
    /// Does what there is to do, and returns what is being sent.
    fn act(&mut self, said: Vec<Say>) -> Vec<Sending> {
        let mut sending = Vec::new();
        for say in said {
            match say {
                Say::Client(text) => self.inbox.push_back(text),
                Say::HangUp => self.hung_up = true,
                Say::Server(text) => match self.tell(&text) {
                    Ok(message) => sending.push(message),
                    Err(why) => self.line.fail(format!("an MCP server could not be told anything: {why}")),
                },
            }
        }
        sending
    }

    fn tell(&mut self, text: &str) -> Result<Sending, String> {
        let message = serde_json::from_str(text).map_err(|error| error.to_string())?;
        self.server = match std::mem::replace(&mut self.server, Server::Gone) {
            Server::Waiting(connect) => Server::Live(connect()?),
            known => known,
        };
        match &mut self.server {
            Server::Live(server) => {
                let sending = server.send(message);
                Ok(Box::pin(async move { sending.await.map_err(|error| error.to_string()) }))
            }
            Server::Waiting(_) | Server::Gone => Err("it is gone".to_owned()),
        }
    }

    /// Waits for the next message of the server's, and takes it.
    async fn hear(&mut self) {
        let heard = {
            let mut speaks = pin!(self.server.speaks());
            let late = &mut self.late.1;
            poll_fn(|cx| match late.poll_recv(cx) {
                Poll::Ready(Some(said)) => Poll::Ready(Heard::Late(said)),
                Poll::Ready(None) | Poll::Pending => speaks.as_mut().poll(cx).map(Heard::Server),
            })
            .await
        };
        let said = match heard {
            Heard::Late(said) => said,
            Heard::Server(Some(Ok(text))) => self.line.hear_server(&text),
            Heard::Server(Some(Err(error))) => self.gone(&error.to_string()),
            Heard::Server(None) => self.gone("it closed the connection"),
        };
        let sending = self.act(said);
        self.sending.extend(sending);
    }

    fn gone(&mut self, why: &str) -> Vec<Say> {
        self.server = Server::Gone;
        let error = TransportError { class: TransportClass::Closed, message: format!("the MCP server is gone: {why}") };
        self.line.connection().server_gone(&error)
    }
}

impl<T: Transport<RoleClient> + 'static> Transport<RoleClient> for CassetteTransport<T> {
    type Error = TransportFailed;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), TransportFailed>> + Send + 'static {
        let text = serde_json::to_string(&message).map_err(|error| error.to_string());
        let said = text.and_then(|text| self.line.hear_client(&text).map_err(|report| report.to_string()));
        let sending = said.map(|said| self.act(said));
        let late = self.late.0.clone();
        self.line.attend(&move |said| drop(late.send(said)));
        async move {
            for message in sending.map_err(TransportFailed)? {
                message.await.map_err(TransportFailed)?;
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            // Kept until it has been sent: whoever waits here may give up, and come back.
            if let Some(sending) = self.sending.front_mut() {
                let sent = sending.await;
                self.sending.pop_front();
                if let Err(why) = sent {
                    let said = self.gone(&why);
                    self.act(said);
                }
                continue;
            }
            match self.inbox.pop_front() {
                Some(text) => match serde_json::from_str(&text) {
                    Ok(message) => return Some(message),
                    Err(error) => self.line.fail(format!("a recorded message is none for this client: {error}")),
                },
                None if self.hung_up => return None,
                None => self.hear().await,
            }
        }
    }

    async fn close(&mut self) -> Result<(), TransportFailed> {
        self.line.connection().close();
        self.hung_up = true;
        match std::mem::replace(&mut self.server, Server::Gone) {
            Server::Live(mut server) => server.close().await.map_err(|error| TransportFailed(error.to_string())),
            Server::Waiting(_) | Server::Gone => Ok(()),
        }
    }
}

impl<T> Drop for CassetteTransport<T> {
    fn drop(&mut self) {
        self.line.connection().close();
    }
}

impl<T> fmt::Debug for CassetteTransport<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CassetteTransport").field("line", &self.line).finish_non_exhaustive()
    }
}
