// What is kept in this browser until the server has it: drafts while typing, and answers on their way.

/** A drawer of the browser's storage; where there is none, of this page's memory. */
class Drawer {
  constructor(prefix) {
    this.prefix = prefix;
    try {
      localStorage.setItem(`${prefix}?`, "1");
      localStorage.removeItem(`${prefix}?`);
      this.storage = localStorage;
    } catch {
      const memory = new Map();
      this.storage = {
        getItem: (key) => memory.get(key) ?? null,
        setItem: (key, value) => memory.set(key, value),
        removeItem: (key) => memory.delete(key),
        keys: () => [...memory.keys()],
      };
    }
  }

  get(name) {
    return JSON.parse(this.storage.getItem(this.prefix + name) ?? "null");
  }

  set(name, value) {
    this.storage.setItem(this.prefix + name, JSON.stringify(value));
  }

  remove(name) {
    this.storage.removeItem(this.prefix + name);
  }

  names() {
    const keys = this.storage.keys?.() ?? Object.keys(this.storage);
    return keys.filter((key) => key.startsWith(this.prefix)).map((key) => key.slice(this.prefix.length));
  }
}

export function drafts(root) {
  return new Drawer(`quorate${root}/draft/`);
}

/** The revisions that the server has acknowledged: other tabs hear of them. */
export function revisions(root) {
  return new Drawer(`quorate${root}/revision/`);
}

/**
 * Sends answers one after the other, in order, and again until the server says that it has them. Each has a key of its
 * own, so that the server stores it once, however often it comes.
 */
export class Outbox {
  constructor(root, { send, onReply, onState }) {
    this.drawer = new Drawer(`quorate${root}/out/`);
    Object.assign(this, { send, onReply, onState });
    this.wait = 0;
    addEventListener("online", () => this.flush(true));
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.flush(true));
    addEventListener("offline", () => this.onState(this.entries().length ? "offline" : "saved", this.entries().length));
  }

  entries() {
    return this.drawer.names().map((name) => this.drawer.get(name)).filter(Boolean).sort((a, b) => a.at - b.at);
  }

  add(entry) {
    const last = this.entries().at(-1)?.at ?? 0;
    this.drawer.set(entry.key, { ...entry, at: Math.max(Date.now(), last + 1) });
    this.onState("saving", this.entries().length);
  }

  async flush(now = false) {
    if (now) this.wait = 0;
    if (this.busy) return;
    this.busy = true;
    clearTimeout(this.timer);
    try {
      for (let entry = this.entries()[0]; entry; entry = this.entries()[0]) {
        if (!(await this.sendOne(entry))) return;
      }
    } finally {
      this.busy = false;
    }
  }

  async sendOne(entry) {
    let reply;
    try {
      reply = await this.send(entry);
    } catch {
      return this.later("offline");
    }
    if (reply.status >= 500 || reply.status === 429) return this.later("server");
    this.wait = 0;
    const content = await reply.json().catch(() => ({}));
    // Stored, refused at its field, or left behind: settled. Anything else is kept until someone has read what is wrong.
    const isSettled = reply.ok || [409, 413, 422].includes(reply.status);
    if (isSettled) this.drawer.remove(entry.key);
    if (reply.ok) this.follow(entry, content.revision);
    const left = this.entries();
    this.onState(!isSettled ? "refused" : left.length ? "saving" : "saved", left.length);
    this.onReply(entry, reply.status, content, left.length);
    return isSettled;
  }

  /** Later answers to the same item were made on top of the one that has just arrived. */
  follow(sent, revision) {
    for (const entry of this.entries()) {
      if (entry.assignment === sent.assignment) this.drawer.set(entry.key, { ...entry, revision });
    }
  }

  later(why) {
    this.wait = Math.min(30_000, this.wait * 2 || 1000);
    this.timer = setTimeout(() => this.flush(), this.wait);
    this.onState(navigator.onLine ? why : "offline", this.entries().length);
    return false;
  }
}
