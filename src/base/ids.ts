import { randomBytes, randomInt, randomUUIDv7 } from 'node:crypto'

/** A fresh identifier. Version 7: ids made one after another stand side by side in an index. */
export function newId(): string {
  return randomUUIDv7()
}

/** A random positive 63-bit number in decimal, the name of a document that was given none. */
export function randomDecimal(): string {
  return (randomBytes(8).readBigUInt64BE() >> 1n || 1n).toString()
}

const lettersAndDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** So many random letters and digits, each as likely as any other: a text that nobody guesses, 6 bits a character. */
export function randomText(length: number): string {
  return Array.from({ length }, () => lettersAndDigits[randomInt(lettersAndDigits.length)]).join('')
}

/** So many random hexadecimal digits. */
export function randomHex(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length)
}
