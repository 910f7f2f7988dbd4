/** Types of texts, derived from the English catalogue: a message with placeholders is a function of their values. */

/** What stands for a placeholder: `{count, plural, …}` and `{count, number}` need a number. */
type ValueOf<Kind extends string> = Kind extends ` ${'plural' | 'number' | 'selectordinal'}${string}`
  ? number
  : Kind extends ` select${string}`
    ? string
    : string | number

/**
 * The placeholders of an ICU message. Braces around the words of a plural are told apart by the blank in them, which
 * `texts.test.ts` makes sure of.
 */
type Placeholders<Message extends string> = Message extends `${string}{${infer Rest}`
  ? Rest extends `${infer Inner}}${infer After}`
    ? Inner extends `${infer Name},${infer Kind}`
      ? Kind extends ` ${'plural' | 'number' | 'select'}${string}`
        ? { [N in Name]: ValueOf<Kind> } & Placeholders<`${Kind}}${After}`>
        : Placeholders<Rest>
      : Inner extends `${string}${' ' | '{'}${string}` | ''
        ? Placeholders<Rest>
        : { [N in Inner]: string | number } & Placeholders<After>
    : unknown
  : unknown

/** A text as pages and server use it. */
export type Text<Message extends string> =
  unknown extends Placeholders<Message>
    ? string
    : (values: { [Name in keyof Placeholders<Message>]: Placeholders<Message>[Name] }) => string

/** A catalogue as pages and server use it. */
export type Texts<Catalogue> = {
  readonly [Key in keyof Catalogue]: Catalogue[Key] extends string
    ? Text<Catalogue[Key]>
    : Texts<Catalogue[Key]>
}

/** The same catalogue in another language (LANG-2). */
export type Translated<Catalogue> = {
  readonly [Key in keyof Catalogue]: Catalogue[Key] extends string ? string : Translated<Catalogue[Key]>
}
