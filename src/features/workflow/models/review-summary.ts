import { escapeHtml } from '../../../base/html/escape-html.ts'

/** What one participant has answered. */
export interface ReviewAnswer {
  readonly actor: string
  readonly firstName: string
  readonly lastName: string
  /** Null where nobody has answered in time. */
  readonly status: string | null
  readonly comment: string
}

const badges: { readonly [status: string]: readonly [style: string, text: string] } = {
  approve: ['success', 'OK'],
  reject: ['error', 'KO'],
}

function badgeOf(status: string | null): readonly [style: string, text: string] {
  return (status !== null && Object.hasOwn(badges, status) ? badges[status] : undefined) ?? ['info', 'N/A']
}

/**
 * The opinions as HTML, which pages show as it is: whatever people have written is escaped. It has no more characters than that; rows
 * that do not fit are counted (contract: workflow 9.3).
 */
export function summaryHtml(answers: readonly ReviewAnswer[], longest: number): string {
  const rows = answers.map(rowHtml)
  const whole = documentHtml(answers, rows)
  if (whole.length <= longest) return whole
  for (let kept = rows.length - 1; kept >= 0; kept -= 1) {
    const more = `<tr><td colspan="3">and ${rows.length - kept} more</td></tr>`
    const shorter = documentHtml(answers, [...rows.slice(0, kept), more])
    if (shorter.length <= longest) return shorter
  }
  return documentHtml(answers, [])
}

function documentHtml(answers: readonly ReviewAnswer[], rows: readonly string[]): string {
  const count = (text: string) => answers.filter(({ status }) => badgeOf(status)[1] === text).length
  const [approved, rejected, neither] = [count('OK'), count('KO'), count('N/A')]
  const labels = [
    approved > 0 ? label('success', `${approved}/${answers.length} OK`) : '',
    rejected > 0 ? label('error', `${rejected} KO`) : '',
    neither > 0 ? label('info', `${neither} N/A`) : '',
  ]
  return `<div>${labels.join('')}<table>${rows.join('')}</table></div>`
}

function label(style: string, text: string): string {
  return `<span class="label label-${style}">${text}</span>`
}

// A remark may be as long as any text: the table is to show what everybody said.
const shownRemark = 500

function rowHtml({ actor, firstName, lastName, status, comment }: ReviewAnswer): string {
  const name = [firstName, lastName].filter((part) => part !== '').join(' ')
  const shown = name === '' ? actor : `${name} (${actor})`
  const remark = comment.length > shownRemark ? `${comment.slice(0, shownRemark).toWellFormed()}…` : comment
  return `<tr><td>${escapeHtml(shown)}</td><td>${label(...badgeOf(status))}</td><td>${escapeHtml(remark)}</td></tr>`
}
