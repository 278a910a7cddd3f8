import { expressionWrong } from './expression-wrong.ts'

export type Token = { readonly at: number } & (
  | { readonly kind: 'number'; readonly source: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'symbol'; readonly symbol: string }
  | { readonly kind: 'end' }
)

const blank = /\s*/y
const number = /(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)L?(?![\w$])/y
const quoted = /"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'/y
const name = /[A-Za-z_$][\w$]*/y
const symbol = /==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]=;}]/y

const escapes: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/** The tokens of a text from some place on, one at a time, as what comes after an expression in a template is none. */
export class Tokens {
  readonly text: string
  #position: number
  #next: Token

  constructor(text: string, position = 0) {
    this.text = text
    this.#position = position
    this.#next = this.#read()
  }

  get next(): Token {
    return this.#next
  }

  /** Where the text goes on after the last token that was taken. */
  get taken(): number {
    return this.#next.at
  }

  take(): Token {
    const token = this.#next
    if (token.kind !== 'end') this.#next = this.#read()
    return token
  }

  isAt(wanted: string): boolean {
    return this.#next.kind === 'symbol' && this.#next.symbol === wanted
  }

  /** Takes the symbol when it comes next. */
  skip(wanted: string): boolean {
    const isThere = this.isAt(wanted)
    if (isThere) this.take()
    return isThere
  }

  /** @throws expressionWrong */
  expect(wanted: string): void {
    if (!this.skip(wanted)) throw this.wrong(`${wanted} is missing`)
  }

  wrong(reason: string, { at }: { at: number } = this.#next) {
    return expressionWrong({ text: this.text, column: at + 1, reason })
  }

  #read(): Token {
    this.#match(blank)
    const at = this.#position
    if (at >= this.text.length) return { kind: 'end', at }
    const digits = this.#match(number)
    if (digits !== undefined) return { kind: 'number', source: digits[1] as string, at }
    const text = this.#match(quoted)
    if (text !== undefined) return { kind: 'text', text: unescaped(text[1] ?? text[2] ?? ''), at }
    const word = this.#match(name)
    if (word !== undefined) return { kind: 'name', name: word[0], at }
    const found = this.#match(symbol)
    if (found !== undefined) return { kind: 'symbol', symbol: found[0], at }
    throw expressionWrong({ text: this.text, column: at + 1, reason: `${this.text[at]} has no meaning here` })
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position
    const found = pattern.exec(this.text) ?? undefined
    if (found !== undefined) this.#position = pattern.lastIndex
    return found
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code: string | undefined, letter: string) =>
    code === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}
