//! Tests of reading a text line by line.

use std::io::{self, Read};
use std::sync::{Arc, Mutex};

use super::{BUFFER_SIZE, FIRST_SIZE, Lines};

/// A text of equal lines that records the number of bytes requested by each read.
struct Noted {
    left: usize,
    asked: Arc<Mutex<Vec<usize>>>,
}

impl Read for Noted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.asked.lock().expect("nobody panicked").push(buffer.len());
        let count = buffer.len().min(self.left);
        for (i, byte) in buffer[..count].iter_mut().enumerate() {
            *byte = if (self.left - i) % 100 == 1 { b'\n' } else { b'x' };
        }
        self.left -= count;
        Ok(count)
    }
}

/// Reads a text of `size` bytes in lines of 100 bytes. Returns the number of bytes that each read
/// requested.
fn asked(size: usize, has_sample: bool) -> Vec<usize> {
    let asked = Arc::default();
    let mut lines = Lines::new(Box::new(Noted { left: size, asked: Arc::clone(&asked) }));
    if has_sample {
        lines.sample(|_| false).expect("it can be read");
    }
    let mut count = 0;
    while let Some(line) = lines.next_line().expect("every line is in order") {
        assert_eq!(line.text, "x".repeat(99));
        count += 1;
    }
    assert_eq!(count * 100, size);
    let asked = asked.lock().expect("nobody panicked");
    asked.clone()
}

#[test]
fn a_short_text_takes_a_small_buffer_and_a_long_one_is_read_in_large_pieces() {
    for has_sample in [false, true] {
        assert!(asked(1000, has_sample).iter().all(|&asked| asked <= FIRST_SIZE));
        let asked = asked(100 * BUFFER_SIZE, has_sample);
        assert_eq!(asked[0], FIRST_SIZE);
        assert!(
            asked.len() < 220 && asked[1..].iter().all(|&asked| asked >= BUFFER_SIZE / 2),
            "{asked:?}"
        );
    }
}
