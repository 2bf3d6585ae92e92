//! What waits at a filter, and the answers to it.

use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};

use libc::{mmsghdr, msghdr, pollfd, seccomp_data, seccomp_notif, seccomp_notif_resp};

use super::caller::Caller;
use super::filter::{ARCHITECTURE, FOREIGN};
use super::memory;
use crate::sys::address::{self, LONGEST, Unspecified};
use crate::sys::judge::Verdict;

/// The most messages that sendmmsg(2) takes.
const MOST: u64 = 1024;

/// The place where the calls that a filter holds are answered.
#[derive(Debug)]
pub(crate) struct Listener(OwnedFd);

/// A call that waits for its answer.
#[derive(Debug)]
pub(crate) struct Caught {
    /// The system call.
    pub(crate) call: &'static str,
    /// The internet addresses that it is given.
    pub(crate) to: Vec<SocketAddr>,
    /// Whether these are all of them: not where its memory may not be read, or its system calls are not known.
    pub(crate) clear: bool,
    /// Who made it.
    pub(crate) by: Caller,
}

enum Read {
    Calls(Caught),
    /// What it points to is nowhere.
    Fault,
}

impl Listener {
    pub(super) fn new(descriptor: OwnedFd) -> Listener {
        Listener(descriptor)
    }

    /// Answers until nothing is left of what the filter stands round. A decision that panics denies.
    pub(crate) fn serve(self, decide: impl Fn(&Caught) -> Verdict) {
        while let Some(held) = self.next() {
            let by = Caller(held.pid.cast_signed());
            let read = read(&held.data, by);
            // Whoever made it may have died meanwhile, and its number be another's: then what was read means nothing.
            if !self.waits(held.id) {
                continue;
            }
            let verdict = match read {
                Read::Fault => Err(libc::EFAULT),
                Read::Calls(caught) => match catch_unwind(AssertUnwindSafe(|| decide(&caught))) {
                    Ok(Verdict::Pass) => Ok(()),
                    Ok(Verdict::Deny) | Err(_) => Err(libc::EACCES),
                },
            };
            self.answer(held.id, verdict);
        }
    }

    /// Waits for the next call; nothing when no more will come.
    fn next(&self) -> Option<seccomp_notif> {
        loop {
            let mut poll = pollfd { fd: self.0.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: one entry is there.
            let ready = unsafe { libc::poll(&raw mut poll, 1, -1) };
            if ready > 0 && poll.revents & libc::POLLIN == 0 {
                return None;
            }
            // SAFETY: zero is a valid `seccomp_notif`, and what the kernel asks for.
            let mut held = unsafe { std::mem::zeroed::<seccomp_notif>() };
            // SAFETY: the descriptor is a listener, and the request takes such a pointer.
            let done = ready > 0
                && unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut held) } == 0;
            if done {
                return Some(held);
            }
            // Whoever made the call was interrupted or has died, or this thread was interrupted.
            let code = io::Error::last_os_error().raw_os_error();
            if !matches!(code, Some(libc::ENOENT | libc::EINTR)) {
                return None;
            }
        }
    }

    fn waits(&self, id: u64) -> bool {
        // SAFETY: the descriptor is a listener, and the request takes such a pointer.
        unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const id) == 0 }
    }

    fn answer(&self, id: u64, verdict: Result<(), i32>) {
        let (error, flags) = match verdict {
            Ok(()) => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
            Err(code) => (-code, 0),
        };
        let answer = seccomp_notif_resp { id, val: 0, error, flags };
        // SAFETY: the descriptor is a listener, and the request takes such a pointer.
        let sent = unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer) };
        // A kernel that cannot let a call go on would let it wait for ever.
        if sent != 0 && verdict.is_ok() && io::Error::last_os_error().raw_os_error() == Some(libc::EINVAL) {
            self.answer(id, Err(libc::ENOSYS));
        }
    }
}

fn read(data: &seccomp_data, by: Caller) -> Read {
    let number = data.nr.cast_unsigned();
    if data.arch != ARCHITECTURE || number >= FOREIGN {
        let call = "a system call of another architecture";
        return Read::Calls(Caught { call, to: Vec::new(), clear: false, by });
    }
    let [_, second, third, _, fifth, sixth] = data.args;
    let (call, to) = match i64::from(data.nr) {
        libc::SYS_connect => ("connect", address_at(by, second, third, Unspecified::Dissolves).map(Vec::from_iter)),
        libc::SYS_sendto => ("sendto", address_at(by, fifth, sixth, Unspecified::IsV4).map(Vec::from_iter)),
        libc::SYS_sendmsg => ("sendmsg", message_at(by, second)),
        _ => ("sendmmsg", messages_at(by, second, third)),
    };
    match to {
        Ok(to) => Read::Calls(Caught { call, to, clear: true, by }),
        Err(error) if error.raw_os_error() == Some(libc::EFAULT) => Read::Fault,
        Err(_) => Read::Calls(Caught { call, to: Vec::new(), clear: false, by }),
    }
}

fn address_at(by: Caller, at: u64, length: u64, unspecified: Unspecified) -> io::Result<Option<SocketAddr>> {
    // The kernel takes the length as an `int`, and none that is longer.
    let length = u64::from(length as u32);
    if at == 0 || length > LONGEST as u64 {
        return Ok(None);
    }
    let bytes = memory::bytes(by.0, at, length as usize)?;
    // SAFETY: that many bytes are there.
    Ok(unsafe { address::read(bytes.as_ptr().cast(), bytes.len() as libc::socklen_t, unspecified) })
}

fn message_at(by: Caller, at: u64) -> io::Result<Vec<SocketAddr>> {
    let message: msghdr = memory::value(by.0, at)?;
    receiver(by, &message).map(Vec::from_iter)
}

fn messages_at(by: Caller, at: u64, count: u64) -> io::Result<Vec<SocketAddr>> {
    let mut found = Vec::new();
    for index in 0..u64::from(count as u32).min(MOST) {
        let message: mmsghdr = memory::value(by.0, at + index * size_of::<mmsghdr>() as u64)?;
        found.extend(receiver(by, &message.msg_hdr)?);
    }
    Ok(found)
}

fn receiver(by: Caller, message: &msghdr) -> io::Result<Option<SocketAddr>> {
    address_at(by, message.msg_name.addr() as u64, u64::from(message.msg_namelen), Unspecified::IsV4)
}
