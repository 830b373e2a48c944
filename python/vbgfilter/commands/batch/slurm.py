"""An array job for Slurm: a list of clips in the target folder, and a script for the tasks."""

import json
import shlex

from vbgfilter.commands.batch.places import NOTES, Place
from vbgfilter.commands.errors import UNREADABLE, USAGE, Failure

_LIST = f"{NOTES}/array.json"
# Slurm's default MaxArraySize is 1001.
_MAX_TASKS = 1000
_SCRIPT = """#!/bin/bash
#SBATCH --job-name=vbgfilter
#SBATCH --array=0-{last}
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
#SBATCH --requeue
# {clips} clips. Task I converts the clips with the numbers I, I + {tasks}, I + 2 * {tasks} and so
# on. Finished clips are skipped, so the job can be submitted again. When it has ended, run the
# command without --slurm-array to write the page.
status=0
for ((clip = SLURM_ARRAY_TASK_ID; clip < {clips}; clip += {tasks})); do
  {command} --only "$clip" || status=1
done
exit "$status"
"""


def make_script(target: Place, names: list[str], arguments: list[str]) -> str:
    """Writes the list of clips and returns the script.

    ``arguments`` is the command line that each task runs, without --only.
    """
    target.write(_LIST, json.dumps(names).encode())
    tasks = min(len(names), _MAX_TASKS)
    return _SCRIPT.format(
        last=tasks - 1, tasks=tasks, clips=len(names), command=shlex.join(arguments)
    )


def read_name(target: Place, index: int) -> str:
    """Returns the name of the clip with this index in the list.

    Raises Failure if there is no list, or if it is invalid or too short.
    """
    try:
        names = json.loads(target.read(_LIST))
    except FileNotFoundError as error:
        text = f"{target.full(_LIST)}: there is no such file; write it with --slurm-array"
        raise Failure(text, UNREADABLE) from error
    except (ValueError, RecursionError):
        names = None
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        text = f"{target.full(_LIST)}: not a list of clips; write it again with --slurm-array"
        raise Failure(text, UNREADABLE)
    if index >= len(names):
        text = f"--only {index}: the array job has {len(names)} clips, numbered from 0"
        raise Failure(text, USAGE)
    return names[index]
