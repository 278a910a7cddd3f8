/** The beginning of a text in a message, marked where it is cut: what a client sent by the megabyte is not sent back. */
export function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`
}
