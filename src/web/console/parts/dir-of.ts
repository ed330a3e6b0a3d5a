/** What is empty has no direction of its own: its placeholder reads as the page does. */
export const dirOf = (text: string): 'auto' | undefined => (text === '' ? undefined : 'auto')
