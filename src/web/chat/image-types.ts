export const MAX_IMAGES = 4
export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp,image/gif'
