"""Metrics of the server for Prometheus."""

from collections.abc import Iterable

from streams import Stream

try:
    from prometheus_client import REGISTRY, start_http_server
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
except ImportError as error:
    raise SystemExit(f"{error}: apt install python3-prometheus-client") from error

_COUNTERS = {
    "frames-in": ("vbgfilter_frames", "Frames that entered the filter"),
    "late": ("vbgfilter_frames_late", "Dropped frames: late, or because of pacing or on-failure"),
    "inferences": ("vbgfilter_inferences", "Inferences of the network"),
    "failures": ("vbgfilter_failures", "Frames without a matte, which were hidden"),
}


class Metrics:
    """A collector for prometheus_client. Reads the streams' counters when Prometheus asks.

    prometheus_client itself adds the memory and the descriptors of the process.
    """

    def __init__(self, streams: Iterable[Stream]) -> None:
        self._streams = list(streams)
        self.clients = 0
        self.refused = 0

    def serve(self, port: int) -> None:
        """Serves the metrics on a port of the loopback address, on a separate thread."""
        REGISTRY.register(self)
        start_http_server(port, addr="127.0.0.1")

    def collect(self) -> Iterable[CounterMetricFamily | GaugeMetricFamily]:
        """Yields the current metrics. prometheus_client calls this on its thread."""
        yield GaugeMetricFamily("vbgfilter_clients", "Connected clients", value=self.clients)
        yield CounterMetricFamily(
            "vbgfilter_clients_refused", "Clients that were refused because there were too many",
            value=self.refused)
        counts = [(stream.name, stream.counts()) for stream in self._streams]
        for key, (name, text) in _COUNTERS.items():
            family = CounterMetricFamily(name, text, labels=["stream"])
            for stream, found in counts:
                family.add_metric([stream], found.get(key, 0))
            yield family
