"""The networks that `identcert demo` certifies."""
