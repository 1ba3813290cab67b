// The names of what histories of the lab tell, in the language of the page. Histories have English names.

export function faultName(name, words) {
  const [, time] = /(\d+) m/.exec(name) ?? [];
  if (/^commands delayed/.test(name)) return words("lab.fault.delayed", time);
  if (/^clock set back/.test(name)) return words("lab.fault.set-back", time);
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
    "replica promoted": words("lab.fault.promoted"),
    "replica that hears nothing": words("lab.fault.stalled"),
    stopped: words("lab.fault.stopped"),
  };
  return names[name] ?? name;
}

/** What happens when a fault ends. */
export function endName(name, words) {
  const names = {
    "commands held": words("lab.end.held"),
    "replies held": words("lab.end.replies-held"),
    crashed: words("lab.end.restarted"),
    "crashed, data lost": words("lab.end.restarted"),
    "cut off": words("lab.end.cut"),
    killed: words("lab.end.killed"),
    paused: words("lab.end.resumed"),
    "replica promoted": words("lab.end.promoted"),
    stopped: words("lab.end.resumed"),
  };
  return names[name] ?? words("lab.end", faultName(name, words));
}

/** The number of a writer, where the store compares numbers. */
export function numberOf(fence) {
  const [, number] = /^number (\d+)$/.exec(fence) ?? [];
  return number && Number(number);
}

/** What the store compares before it accepts a write. */
function fenceName(fence, words) {
  const number = numberOf(fence);
  if (number) return words("lab.fence.number", number);
  return fence === "owner" ? words("lab.fence.owner") : words("lab.fence.none");
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

/** What became of a write at the store. */
export function writeName({ who, value, outcome, fence }, words) {
  const says = outcome === "refused" ? words("lab.store.refused", who, value) : words("lab.store.accepted", who, value);
  return `${says} (${fenceName(fence, words)})`;
}

/** What a client read at the store, and how the store knows it from now on. */
export function readName({ who, value, fence }, words) {
  const number = numberOf(fence);
  if (number) return words("lab.store.numbered", who, number, value);
  return fence === "owner" ? words("lab.store.claimed", who, value) : words("lab.store.read", who, value);
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

/** Whether a command deletes a key without a look at whose it is. */
export function isDeletion(command = "") {
  return command.startsWith("DEL ");
}

/** What a client asks a node. */
export function questionName({ name, subject, details: { node, sent } }, words) {
  if (name === "take") return words("lab.told.take", subject, node);
  if (name === "release") return isDeletion(sent) ? words("lab.told.delete", subject, node) : words("lab.told.release", subject, node);
  if (name === "look") return words("lab.told.look", subject, node);
  return words("lab.told.renew", subject, node);
}

/** What a node answers, with the reply of Redis. */
export function replyName({ name, details: { says, reply } }, words) {
  if (says === "error" || name === "look") return reply;
  if (name === "release") return says === "yes" ? words("lab.reply.given-back", reply) : words("lab.reply.gone", reply);
  if (name !== "take") return says === "yes" ? words("lab.reply.renewed", reply) : words("lab.reply.not-renewed", reply);
  if (says === "yes") return words("lab.reply.free", reply);
  return reply > 1 ? words("lab.reply.taken-for", reply) : words("lab.reply.taken", reply);
}

/** A client, nodes, or the link from a client to nodes. */
export function subjectName(subject, words) {
  const [, client, nodes] = /^(\S+) (?:from|to) node (.+)$/.exec(subject) ?? [];
  return client ? words("lab.link", client, nodes) : subject.replace(/node (\d+)/g, (all, number) => words("lab.node", number));
}
