/** One bar of a chart: `values` from the bottom to the top, one for each series. */
export interface ChartPoint {
  key: string
  label: string
  values: readonly number[]
}

/** What a bar is made of. */
export interface ChartSeries {
  label: string
}

/** Heights as they are drawn, the highest first: each holds all that stands below it, so that the next covers it. */
export function stackHeights(points: readonly ChartPoint[], series: number): number[][] {
  const columns = Array.from({ length: series }, () => [] as number[])
  for (const { values } of points) {
    let height = 0
    for (let at = 0; at < series; at++) {
      height += values[at] ?? 0
      columns[series - 1 - at]?.push(height)
    }
  }
  return columns
}

/** Which bars are named below the axis: at most so many, evenly apart, the first among them. */
export function namedPlaces(count: number, most: number): number[] {
  if (count === 0) return []
  const step = Math.max(1, Math.ceil(count / Math.max(1, most)))
  return Array.from({ length: Math.ceil(count / step) }, (_, n) => n * step)
}

export const totalOf = ({ values }: Pick<ChartPoint, 'values'>): number =>
  values.reduce((sum, value) => sum + value, 0)
