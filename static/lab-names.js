// The names of what histories of the lab tell, in the language of the page. Histories have English names.

export function faultName(name, words) {
  const [, time] = /(\d+) m/.exec(name) ?? [];
  if (/^commands delayed/.test(name)) return words("lab.fault.delayed", time);
  if (/^clock.*ahead/.test(name)) return words("lab.fault.clock", time);
  const names = {
    "commands held": words("lab.fault.held"),
    "replies held": words("lab.fault.replies-held"),
    "commands lost": words("lab.fault.lost"),
    "clock fast by 9000 millionths": words("lab.fault.fast"),
    crashed: words("lab.fault.crashed"),
    "crashed, data lost": words("lab.fault.forgot"),
    "cut off": words("lab.fault.cut"),
    emptied: words("lab.fault.emptied"),
    killed: words("lab.fault.killed"),
    "orphan of a dead client": words("lab.fault.orphan"),
    paused: words("lab.fault.paused"),
    "killed, replica promoted": words("lab.fault.promoted"),
    "replica that hears nothing": words("lab.fault.stalled"),
    stopped: words("lab.fault.stopped"),
  };
  return names[name] ?? name;
}

export function outcomeName(outcome, words) {
  const names = {
    acquired: words("lab.outcome.acquired"),
    taken: words("lab.outcome.taken"),
    none: words("lab.outcome.none"),
    error: words("lab.outcome.error"),
    written: words("lab.outcome.written"),
    refused: words("lab.outcome.refused"),
    extended: words("lab.outcome.extended"),
    expired: words("lab.outcome.expired"),
    done: words("lab.outcome.done"),
  };
  return names[outcome] ?? outcome;
}

export function operationName(name, words) {
  const names = {
    acquire: words("lab.operation.acquire"),
    read: words("lab.operation.read"),
    write: words("lab.operation.write"),
    extend: words("lab.operation.extend"),
    release: words("lab.operation.release"),
  };
  return names[name] ?? name;
}

/** A client, nodes, or the link from a client to nodes. */
export function subjectName(subject, words) {
  const [, client, nodes] = /^(\S+) (?:from|to) node (.+)$/.exec(subject) ?? [];
  return client ? words("lab.link", client, nodes) : subject.replace(/node (\d+)/g, (all, number) => words("lab.node", number));
}
