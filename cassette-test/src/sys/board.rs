//! What a child that was forked off without a program of its own has to tell: memory that a process shares with its children.
//!
//! Not a pipe: a child that closes what it has inherited may open something of its own under that number.

use std::ptr;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// How many bytes are kept; what comes after them is not. Memory that nothing is written to costs nothing.
const SIZE: usize = 4 << 20;

/// The shared memory: as the kernel gives it, all of it is 0.
#[repr(C)]
struct Page {
    written: AtomicU32,
    bytes: [AtomicU8; SIZE],
}

/// The memory, and the process that asked for it.
struct Board {
    page: &'static Page,
    process: u32,
}

static BOARD: OnceLock<Option<Board>> = OnceLock::new();

/// How much has been taken.
static TAKEN: Mutex<usize> = Mutex::new(0);

/// Asks for the memory; a second time, nothing happens.
pub(crate) fn open() {
    BOARD.get_or_init(|| {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
        // SAFETY: it is new memory, wherever the kernel has some.
        let page = unsafe { libc::mmap(ptr::null_mut(), size_of::<Page>(), access, kind, -1, 0) };
        if page == libc::MAP_FAILED {
            return None;
        }
        // SAFETY: so many bytes, on a page's boundary, never given back; any bytes are atomics, and nothing else refers to them.
        let page = unsafe { &*page.cast::<Page>() };
        Some(Board { page, process: std::process::id() })
    });
}

/// Tells the process this line, if this is a child that was forked off it.
pub(crate) fn put(line: impl FnOnce() -> String) {
    let Some(Some(Board { page, process })) = BOARD.get() else { return };
    if *process == std::process::id() {
        return;
    }
    let line = format!("{}\n", line().replace('\n', " "));
    let room = u32::try_from(line.len()).unwrap_or(u32::MAX);
    let at = page.written.fetch_add(room, Ordering::SeqCst) as usize;
    for (place, byte) in page.bytes.iter().skip(at).take(line.len()).zip(line.bytes()) {
        place.store(byte, Ordering::Release);
    }
}

/// Returns what children have told since it was asked last, in whole lines.
pub(crate) fn take() -> Vec<String> {
    let Some(Some(Board { page, process })) = BOARD.get() else { return Vec::new() };
    if *process != std::process::id() || page.written.load(Ordering::SeqCst) == 0 {
        return Vec::new();
    }
    let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let new = page.bytes.iter().skip(*taken).map(|byte| byte.load(Ordering::Acquire)).take_while(|byte| *byte != 0);
    let new: Vec<u8> = new.collect();
    let whole = new.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    *taken += whole;
    String::from_utf8_lossy(&new[..whole]).lines().map(str::to_owned).collect()
}
