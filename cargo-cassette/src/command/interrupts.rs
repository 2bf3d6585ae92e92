//! The signals that ask the command to end, as something to wait for.

use std::io;
#[cfg(unix)]
use std::io::IsTerminal as _;
#[cfg(not(unix))]
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Runtime;

/// What asks for the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// An interrupt, as a terminal sends it for Ctrl-C.
    Interrupt,
    /// A request to end, as `kill` sends it.
    Terminate,
}

/// Returns a runtime for waiting.
pub(super) fn runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

/// The signals that ask for the end. From the moment they are made, none of them ends the command by itself.
#[cfg(unix)]
pub(super) struct Interrupts {
    signals: [(Signal, tokio::signal::unix::Signal); 2],
    beside: Option<Beside>,
}

#[cfg(unix)]
impl Interrupts {
    pub(super) fn new() -> io::Result<Interrupts> {
        use tokio::signal::unix::{SignalKind, signal};
        let interrupt = (Signal::Interrupt, signal(SignalKind::interrupt())?);
        Ok(Interrupts { signals: [interrupt, (Signal::Terminate, signal(SignalKind::terminate())?)], beside: None })
    }

    /// Returns them for a command that runs other programs, and has to know which of the signals they have got as well.
    pub(super) fn beside_programs(self) -> Interrupts {
        Interrupts { beside: is_at_a_terminal().then(Beside::start).flatten(), ..self }
    }

    /// Returns whether a signal came to this command alone, and has to be handed on to what it runs. A terminal sends an interrupt to
    /// all programs that stand at it.
    pub(super) fn is_ours_alone(&mut self, signal: Signal) -> bool {
        if signal != Signal::Interrupt || !is_at_a_terminal() {
            return true;
        }
        let Some(beside) = &mut self.beside else { return false };
        let is_ours_alone = !beside.has_ended();
        if !is_ours_alone {
            self.beside = Beside::start();
        }
        is_ours_alone
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Signal> {
        // One that has come is taken alone: another that has come too is still there when it is asked for. Where none has, each was asked,
        // and wakes.
        let come = self.signals.iter_mut().find_map(|(kind, signal)| signal.poll_recv(cx).is_ready().then_some(*kind));
        come.map_or(Poll::Pending, Poll::Ready)
    }
}

/// A program that does nothing and stands where those stand that are run: what the terminal sends to all ends it, and what somebody sends
/// to this command does not. No system tells who has sent a signal to whoever waits for it as this command does.
#[cfg(unix)]
struct Beside(std::process::Child);

/// How long a signal may take from one program of a group to the next.
#[cfg(unix)]
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(1);

#[cfg(unix)]
impl Beside {
    fn start() -> Option<Beside> {
        use std::process::{Command, Stdio};
        // It reads what nobody writes, and ends with this command, however that ends.
        let mut program = Command::new("cat");
        program.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok().map(Beside)
    }

    /// Returns whether it has ended, or does within a moment.
    fn has_ended(&mut self) -> bool {
        let start = std::time::Instant::now();
        loop {
            match self.0.try_wait() {
                Ok(None) if start.elapsed() < PATIENCE => std::thread::sleep(std::time::Duration::from_millis(5)),
                ended => return !matches!(ended, Ok(None)),
            }
        }
    }
}

#[cfg(unix)]
impl Drop for Beside {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The signals that ask for the end.
#[cfg(not(unix))]
pub(super) struct Interrupts(Pin<Box<dyn Future<Output = io::Result<()>>>>);

#[cfg(not(unix))]
impl Interrupts {
    pub(super) fn new() -> io::Result<Interrupts> {
        Ok(Interrupts(Box::pin(tokio::signal::ctrl_c())))
    }

    /// Returns them: the console sends them to all.
    pub(super) fn beside_programs(self) -> Interrupts {
        self
    }

    /// Returns that no signal came to this command alone: the console sends them to all.
    pub(super) fn is_ours_alone(&mut self, _: Signal) -> bool {
        false
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Signal> {
        let polled = self.0.as_mut().poll(cx).map(|_| Signal::Interrupt);
        if polled.is_ready() {
            self.0 = Box::pin(tokio::signal::ctrl_c());
        }
        polled
    }
}

/// Sends a program a signal.
#[cfg(unix)]
pub(super) fn hand_on(program: Option<u32>, signal: Signal) {
    send(&Vec::from_iter(program), signal);
}

/// Sends a signal to a program and to what it has started that is of its group still, as a terminal does.
#[cfg(unix)]
pub(super) fn hand_on_to_all(program: Option<u32>, signal: Signal) {
    let Some(program) = program else { return };
    // Seen before anything is sent: whoever has lost its parent is found no more.
    send(&[vec![program], within(program, &processes())].concat(), signal);
}

#[cfg(unix)]
fn send(programs: &[u32], signal: Signal) {
    use rustix::process::{Pid, Signal as Number, kill_process};
    let number = match signal {
        Signal::Interrupt => Number::INT,
        Signal::Terminate => Number::TERM,
    };
    for program in programs.iter().filter_map(|id| Pid::from_raw(i32::try_from(*id).ok()?)) {
        // It may have ended just now.
        let _ = kill_process(program, number);
    }
}

/// A process: its number, its parent's and its group's.
#[cfg(unix)]
type Process = [u32; 3];

/// Returns what a program has started, and what that has, as far as it is of the program's group.
#[cfg(unix)]
fn within(program: u32, all: &[Process]) -> Vec<u32> {
    let group = all.iter().find(|it| it[0] == program).map(|it| it[2]);
    let (mut found, mut open) = (Vec::new(), vec![program]);
    while let Some(parent) = open.pop() {
        let children = all.iter().filter(|it| it[1] == parent && !found.contains(&it[0])).map(|it| it[0]);
        let children: Vec<_> = children.collect();
        open.extend(&children);
        found.extend(children);
    }
    found.retain(|id| all.iter().any(|it| it[0] == *id && Some(it[2]) == group));
    found
}

/// Returns the processes of this machine that can be seen.
#[cfg(target_os = "linux")]
fn processes() -> Vec<Process> {
    let process = |entry: std::fs::DirEntry| {
        let text = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // Number, name in parentheses, state, parent, group; a name may hold anything.
        let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(1).map_while(|field| field.parse().ok());
        Some([entry.file_name().to_str()?.parse().ok()?, fields.next()?, fields.next()?])
    };
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(process).collect()
}

/// Returns the processes of this machine that can be seen.
#[cfg(all(unix, not(target_os = "linux")))]
fn processes() -> Vec<Process> {
    let listed = std::process::Command::new("ps").args(["-A", "-o", "pid=", "-o", "ppid=", "-o", "pgid="]).output();
    let text = listed.map(|listed| String::from_utf8_lossy(&listed.stdout).into_owned()).unwrap_or_default();
    let process = |line: &str| {
        let fields: Vec<u32> = line.split_whitespace().map_while(|field| field.parse().ok()).collect();
        fields.try_into().ok()
    };
    text.lines().filter_map(process).collect()
}

/// Sends nothing: the console sends it to both.
#[cfg(not(unix))]
pub(super) fn hand_on(_: Option<u32>, _: Signal) {}

/// Sends nothing: the console sends it to all.
#[cfg(not(unix))]
pub(super) fn hand_on_to_all(_: Option<u32>, _: Signal) {}

#[cfg(unix)]
fn is_at_a_terminal() -> bool {
    io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal()
}

#[cfg(all(test, unix))]
mod tests {
    use super::within;

    #[test]
    fn what_a_program_started_is_found_as_far_as_it_is_of_its_group() {
        let all = [[1, 0, 1], [10, 1, 7], [11, 10, 7], [12, 11, 7], [13, 10, 13], [14, 13, 7], [20, 1, 7]];
        let mut found = within(10, &all);
        found.sort_unstable();
        assert_eq!(found, [11, 12, 14]);
    }
}
