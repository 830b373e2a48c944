"""A server on this machine that sends no answer, or only half of a file.

It runs in a separate process, so that its sockets and threads do not count as the streams'.
"""

import multiprocessing
import socket
import threading


def serve(listener, file):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=answer, args=(connection, file), daemon=True).start()


def answer(connection, file):
    with connection:
        try:
            request = connection.recv(4096)
            if b"/half" in request.split(b"\r\n")[0]:
                head = (
                    "HTTP/1.1 200 OK\r\nAccept-Ranges: none\r\nConnection: close\r\n"
                    f"Content-Length: {len(file)}\r\n\r\n"
                )
                connection.sendall(head.encode() + file[: len(file) // 2])
            # Send nothing more until the client gives up.
            while connection.recv(4096):
                pass
        except OSError:
            pass


class Server:
    """A server, as a context manager. Create it before the process has other threads."""

    def __init__(self, file):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.process = multiprocessing.get_context("fork").Process(
            target=serve, args=(self.listener, file), daemon=True
        )

    def __enter__(self):
        self.process.start()
        self.listener.close()
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.join()
