//! The debugger that holds this process, if one does.

/// Returns whether another program traces this one.
#[cfg(glibc)]
pub(crate) fn holds_us() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|tracer| tracer.trim() != "0")
}

/// Stops this thread in the debugger, which is sent what a breakpoint of its own would send.
///
/// A tracer that is no debugger hands the signal on; so for this moment the process takes it, and is not ended by it.
#[cfg(glibc)]
pub(crate) fn stop() {
    extern "C" fn go_on(_signal: libc::c_int) {}

    // SAFETY: all-zero is a valid action for both; the handler does nothing, so it may run anywhere; the old action is put
    // back as it was.
    unsafe {
        let mut ours: libc::sigaction = std::mem::zeroed();
        let mut old: libc::sigaction = std::mem::zeroed();
        ours.sa_sigaction = go_on as *const () as libc::sighandler_t;
        libc::sigemptyset(&mut ours.sa_mask);
        if libc::sigaction(libc::SIGTRAP, &ours, &mut old) == 0 {
            libc::raise(libc::SIGTRAP);
            libc::sigaction(libc::SIGTRAP, &old, std::ptr::null_mut());
        }
    }
}

/// Returns whether another program traces this one: here there is no way to know.
#[cfg(not(glibc))]
pub(crate) fn holds_us() -> bool {
    false
}

/// Stops nothing: no debugger is known here.
#[cfg(not(glibc))]
pub(crate) fn stop() {}

#[cfg(all(test, glibc))]
mod tests {
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};
    use std::{env, io, ptr};

    use crate::{Cassette, Mode};

    /// The run that stops; it is told apart from a run of all ignored tests by what it is given.
    #[test]
    #[ignore = "it is run by those below"]
    fn a_run_that_stops() {
        let session = Cassette::builder("stops").mode(Mode::Off).allow_ci().break_at(2).open().unwrap();
        let values: Vec<u32> = (1..4).map(|n| session.value("number", || n)).collect();
        assert_eq!(values, [1, 2, 3]);
        session.finish().unwrap();
    }

    fn run_that_stops() -> Command {
        let mut command = Command::new(env::current_exe().expect("a program has a path"));
        command.args(["sys::debugger::tests::a_run_that_stops", "--exact", "--ignored", "--nocapture"]);
        command.env_remove("CASSETTE_MODE").env_remove("CASSETTE_BREAK_AT").env("RUST_TEST_THREADS", "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    #[test]
    fn without_a_debugger_the_run_goes_on() {
        let output = run_that_stops().output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
        assert!(told.contains("\n  no debugger holds the program, so the run goes on\n"), "{told}");
    }

    #[test]
    fn under_a_debugger_it_stops_once_and_goes_on_when_it_is_let() {
        let mut command = run_that_stops();
        // SAFETY: both are calls of the system alone.
        unsafe {
            command.pre_exec(|| {
                libc::setpgid(0, 0);
                match libc::ptrace(libc::PTRACE_TRACEME, 0, ptr::null_mut::<u8>(), ptr::null_mut::<u8>()) {
                    -1 => Err(io::Error::last_os_error()),
                    _ => Ok(()),
                }
            });
        }
        #[expect(clippy::zombie_processes, reason = "it is waited for by its group")]
        let child = command.spawn().unwrap();
        let group = libc::pid_t::try_from(child.id()).unwrap();
        let (mut stops, mut code) = (0, None);
        while code.is_none() {
            let mut status = 0;
            // SAFETY: the status is ours; nobody else waits for this group.
            let pid = unsafe { libc::waitpid(-group, &mut status, libc::__WALL) };
            assert!(pid > 0, "{}", io::Error::last_os_error());
            if libc::WIFEXITED(status) || libc::WIFSIGNALED(status) {
                code = (pid == group).then_some(status);
                continue;
            }
            let signal = libc::WSTOPSIG(status);
            let event = status >> 16;
            // SAFETY: the structure is all numbers; the process is stopped, and its tracer is this thread.
            unsafe {
                let mut about: libc::siginfo_t = std::mem::zeroed();
                libc::ptrace(libc::PTRACE_GETSIGINFO, pid, ptr::null_mut::<u8>(), &raw mut about);
                // The first stop is that of `exec`; from there on its threads are traced too.
                libc::ptrace(libc::PTRACE_SETOPTIONS, pid, ptr::null_mut::<u8>(), libc::PTRACE_O_TRACECLONE);
                let is_raised = signal == libc::SIGTRAP && event == 0 && about.si_code == libc::SI_TKILL;
                stops += usize::from(is_raised);
                // A debugger keeps the signal of a breakpoint; of a new thread the stop is no signal either.
                let handed_on = if matches!(signal, libc::SIGTRAP | libc::SIGSTOP) { 0 } else { signal };
                libc::ptrace(libc::PTRACE_CONT, pid, ptr::null_mut::<u8>(), handed_on as usize);
            }
        }
        let mut told = String::new();
        io::Read::read_to_string(&mut child.stderr.unwrap(), &mut told).unwrap();
        // The status of an exit with code 0.
        assert_eq!(code, Some(0), "{told}");
        assert_eq!(stops, 1, "{told}");
        assert!(told.contains("\n  the debugger has the thread that answers it"), "{told}");
    }
}
