import { escapeHtml } from '../base/escape-html.ts'

/** The page for a person whose browser was refused: what the exception entity says, in HTML. */
export function renderErrorPage(status: number, message: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${status} ${escapeHtml(message)}</title></head>
<body><h1>${status}</h1><p>${escapeHtml(message)}</p></body>
</html>
`
}
