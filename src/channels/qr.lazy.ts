export { encodeQR } from 'qr'
