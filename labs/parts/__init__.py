"""What labs are made of: one folder a lab, under the lab's id. The labs themselves are labs/<id>.py."""
