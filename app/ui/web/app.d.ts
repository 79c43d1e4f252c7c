// The types that the page's own modules share. They are not served.

// A key of a sentence: "welcome.title". English has every one.
type English = typeof import("./words/en.json");
type Keys<Tree> = {
  [Name in keyof Tree & string]: Tree[Name] extends string ? Name : `${Name}.${Keys<Tree[Name]>}`;
}[keyof Tree & string];
type Key = Keys<English>;

// One screen, built once and then told of every snapshot until another screen, session or language comes.
interface View {
  root: HTMLElement;
  // Which buttons of the frame are possible here.
  back?: boolean;
  stop?: boolean;
  // "I cannot do this"; "I need more time".
  cannot?: boolean;
  more?: boolean;
  update?(snapshot: Snapshot): void;
  // It has its place on the screen, and can be measured.
  placed?(): void;
  // The sentences to be spoken when the screen appears, and again when asked.
  says?(snapshot: Snapshot): Key[];
  // What is said behind that, each in its own language, and what is marked meanwhile.
  names?(snapshot: Snapshot): import("./voice.js").Name[];
  // Returns true if the key is used up.
  key?(event: KeyboardEvent): boolean;
  // Text that an agent has copied from elsewhere.
  paste?(text: string): void;
  gone?(): void;
}

// What every screen may use.
interface App {
  snapshot: Snapshot;
  t(key: Key, values?: Record<string, string | number>): string;
  // For keys that are made from what somebody else named.
  has(key: string): key is Key;
  command<Name extends keyof Commands>(
    name: Name,
    ...fields: {} extends Commands[Name] ? [Commands[Name]?] : [Commands[Name]]
  ): Promise<Reply>;
  // For screen readers, without moving the focus.
  announce(text: string): void;
  voice: import("./voice.js").Voice;
}
