"""How a position looks: SVG for pages, PNG for letters, plain characters for text. Knows rules and Pillow."""
