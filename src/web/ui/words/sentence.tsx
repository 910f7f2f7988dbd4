/** Sentences with names and links in them, which stand where the language wants them. */
import { Fragment, isValidElement, type ReactNode } from 'react'

/** Stands for an element while the message is formatted; nobody's name has these characters. */
const MARK = /\uE001(\d+)\uE001/

/**
 * A message with elements as values. Counts and choices are given as they are.
 * @example <Sentence text={messages.left.back} values={{ group: <Name>{name}</Name> }} />
 */
export function Sentence<Values extends Record<string, string | number>>({
  text,
  values,
}: {
  text: (values: Values) => string
  values: { [Name in keyof Values]: Values[Name] | ReactNode }
}) {
  const elements: ReactNode[] = []
  const marked = Object.fromEntries(
    Object.entries(values).map(([name, value]) =>
      isValidElement(value) ? [name, `\uE001${elements.push(value) - 1}\uE001`] : [name, value],
    ),
  ) as Values
  const parts = text(marked).split(MARK)
  return parts.map((part, index) => (
    <Fragment key={index}>{index % 2 === 1 ? elements[Number(part)] : part}</Fragment>
  ))
}
