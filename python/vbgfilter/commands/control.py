"""``vbgfilter control``: changes the running camera."""

import json

import click

from vbgfilter.commands.camera.link import ask
from vbgfilter.commands.settings import background_properties, parse_assignments

# The actions, and how many values each takes, at least and at most.
_ACTIONS = {
    "on": (0, 0), "off": (0, 0), "toggle": (0, 0), "background": (1, 1), "set": (1, 99),
    "camera": (0, 1), "status": (0, 0), "quit": (0, 0),
}  # fmt: skip


@click.command()
@click.argument("action", type=click.Choice(list(_ACTIONS)), metavar="ACTION")
@click.argument("values", nargs=-1, metavar="[VALUE]...")
@click.option("--json", "as_json", is_flag=True, help="Print the reply as JSON.")
def command(action: str, values: tuple[str, ...], as_json: bool) -> None:
    """Change the running camera. Nothing here shows the room.

    The actions: on, off or toggle (off is black, without the real camera), background WHAT, set
    NAME=VALUE, camera NAME (without a name, the first one), status, and quit. Programs that still
    show the camera after quit get black. The changes are kept for the next start.
    """
    least, most = _ACTIONS[action]
    if not least <= len(values) <= most:
        raise click.UsageError(f"{action} takes {least if least == most else 'other'} values.")
    requests = [(action, {})]
    if action == "set":
        changes = parse_assignments(values)
        requests = [("set", {"name": name, "value": changes[name]}) for name in changes]
    elif action == "background":
        # The camera may run in another folder.
        path = background_properties(values[0]).get("background-path")
        requests = [("background", {"value": path or values[0]})]
    elif action == "camera":
        requests = [("device", {"device": next(iter(values), None)})]
    for what, request in requests:
        reply = ask(what, **request)
        if as_json:
            click.echo(json.dumps(reply, indent=2))
        elif what == "status":
            reason = f": {reply['reason']}" if reply["reason"] else ""
            programs = "?" if reply["programs"] is None else reply["programs"]
            click.echo(f"{reply['state']}{reason}; used by {programs} programs; room hidden")
            click.echo(f"runs {reply['where']}, sends to {reply['output']}")
        elif reply.get("programs"):
            click.echo(f"{reply['programs']} programs get black until they close it", err=True)
        elif "message" in reply:
            click.echo(reply["message"], err=True)
