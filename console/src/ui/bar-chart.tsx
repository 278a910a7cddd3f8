import styles from './bar-chart.module.css'

export interface Bar {
  readonly key: string
  readonly label: string
  readonly value: number
  /** What the value is said as; the number itself unless told. */
  readonly said?: string
}

export interface BarChartProps {
  readonly label: string
  readonly bars: readonly Bar[]
  /** Bars that lie have room for names, those that stand for many. */
  readonly direction: 'standing' | 'lying'
  /** What the longest could be, such as 100 of percentages; the largest value unless told. */
  readonly most?: number
  onChoose?(key: string): void
}

/** Numbers side by side. It is a list of its values for who cannot see it. */
export function BarChart({ label, bars, direction, most: told, onChoose }: BarChartProps) {
  const most = told ?? Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ul className={styles[direction]} aria-label={label}>
      {bars.map((bar) => {
        const said = `${bar.label}: ${bar.said ?? bar.value}`
        const share = `${(bar.value / most) * 100}%`
        const fill = (
          <span
            className={styles.fill}
            style={direction === 'standing' ? { blockSize: share } : { inlineSize: share }}
            aria-hidden
          />
        )
        return (
          <li key={bar.key} title={said}>
            {direction === 'lying' ? (
              <>
                {onChoose === undefined ? (
                  <span className={styles.name}>{bar.label}</span>
                ) : (
                  <button type="button" className={styles.name} onClick={() => onChoose(bar.key)}>
                    {bar.label}
                  </button>
                )}
                <span className={styles.track}>{fill}</span>
                <span className={styles.value}>{bar.said ?? bar.value}</span>
              </>
            ) : (
              <>
                <span className="only-read">{said}</span>
                {fill}
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
}
