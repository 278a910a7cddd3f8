/** The beginning of a text in a message, marked where it is cut: what a client sent by the megabyte is not sent back. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`
}
