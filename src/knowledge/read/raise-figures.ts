const FIGURES = '0123456789+-−–'
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻'
const ALL_FIGURES = /^[\d+\-−–]+$/

/** Figures as they are written above the line: those of a power or a note would else go on with the number before them. */
export function raiseFigures(text: string): string {
  if (!ALL_FIGURES.test(text)) return text
  return [...text].map((sign) => RAISED[FIGURES.indexOf(sign)]).join('')
}

/** Whether what stands above the line behind it would be taken for more of its figures. */
export const endsInFigure = (text: string): boolean => /\d$/.test(text.slice(-1))
