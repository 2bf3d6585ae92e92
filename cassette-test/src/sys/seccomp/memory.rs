//! The memory of whoever made a call.

use std::io;
use std::mem::MaybeUninit;

use libc::{iovec, mmsghdr, msghdr, pid_t};

/// What any bytes make a value of.
///
/// # Safety
///
/// As it says.
pub(super) unsafe trait Plain: Copy {}

// SAFETY: integers and pointers, which are read and never followed here.
unsafe impl Plain for msghdr {}
// SAFETY: as above.
unsafe impl Plain for mmsghdr {}

/// Reads a value there.
///
/// # Errors
///
/// Fails with `EFAULT` where the address is none, and with another code where the memory may not be read.
pub(super) fn value<T: Plain>(thread: pid_t, address: u64) -> io::Result<T> {
    let mut value = MaybeUninit::<T>::uninit();
    // SAFETY: that many bytes may be written there, and once they are, whatever they are, they are a value.
    unsafe {
        copy(thread, address, value.as_mut_ptr().cast(), size_of::<T>())?;
        Ok(value.assume_init())
    }
}

/// Reads so many bytes there.
///
/// # Errors
///
/// As [`value`] does.
pub(super) fn bytes(thread: pid_t, address: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    // SAFETY: that many bytes may be written there.
    unsafe { copy(thread, address, bytes.as_mut_ptr(), length)? };
    Ok(bytes)
}

/// # Safety
///
/// `length` bytes may be written from `to` on.
unsafe fn copy(thread: pid_t, from: u64, to: *mut u8, length: usize) -> io::Result<()> {
    let to = iovec { iov_base: to.cast(), iov_len: length };
    let from = iovec { iov_base: std::ptr::without_provenance_mut(from as usize), iov_len: length };
    // SAFETY: the caller's promise; the other side's addresses are checked by the kernel.
    let copied = unsafe { libc::process_vm_readv(thread, &raw const to, 1, &raw const from, 1, 0) };
    match usize::try_from(copied) {
        Ok(copied) if copied == length => Ok(()),
        Ok(_) => Err(io::Error::from_raw_os_error(libc::EFAULT)),
        Err(_) => Err(io::Error::last_os_error()),
    }
}
