/**
 * Lets React work on pages that the browser translates (PAGE-38). Translators replace texts by `<font>` elements, which
 * React does not know of: it would fail to remove a text or to insert before it, and what it writes into one would not be
 * seen.
 */

/** What stands in the page for a text that was replaced. */
const standIns = new Map<Node, Element>()

/** A text that React writes goes back into the page, to be translated anew. */
const written = new MutationObserver((records) => {
  for (const { target } of records) {
    const standIn = standIns.get(target)
    standIns.delete(target)
    standIn?.parentNode?.replaceChild(target, standIn)
  }
})

const replaced = new MutationObserver((records) => {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records)
    for (const text of removedNodes) {
      if (!(text instanceof Text) || text.isConnected) continue
      const standIn = [...addedNodes, previousSibling, nextSibling].find(isNewFont)
      if (!standIn) continue
      standIns.set(text, standIn)
      known.add(standIn)
      written.observe(text, { characterData: true })
    }
  for (const [text, standIn] of standIns) if (!standIn.isConnected) standIns.delete(text)
})

/** The elements that stand for a text already. */
const known = new WeakSet<Element>()
const isNewFont = (node: Node | null | undefined): node is Element =>
  node instanceof Element && node.localName === 'font' && !known.has(node)

/** Call it before the page is translated. */
export function tolerateTranslation(): void {
  replaced.observe(document.documentElement, { childList: true, subtree: true })
  const { removeChild, insertBefore } = Node.prototype as {
    removeChild: (this: Node, child: Node) => Node
    insertBefore: (this: Node, child: Node, before: Node | null) => Node
  }
  const inPage = (parent: Node, child: Node) =>
    child.parentNode === parent ? child : [standIns.get(child)].find((one) => one?.parentNode === parent)

  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    const found = inPage(this, child)
    if (found) removeChild.call(this, found)
    return child
  }
  Node.prototype.insertBefore = function <Child extends Node>(
    this: Node,
    child: Child,
    before: Node | null,
  ): Child {
    insertBefore.call(this, child, (before && inPage(this, before)) ?? null)
    return child
  }
}
